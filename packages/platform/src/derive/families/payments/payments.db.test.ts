import { dayOf } from '@croupier/contracts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import {
  history,
  millionths,
  type PaymentBody,
  type PlainPayment,
  plainPayments,
} from '../../../../testing/derive/families/payments/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { paymentBody, setupStage } from '../../../../testing/derive/stage.ts';
import type { Brand } from '../../../brands/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../../read.ts';
import { differencesOf } from '../../rebuild/compare.ts';
import { Shadow } from '../../rebuild/shadow.ts';
import { stateHashes } from '../../state-hash.ts';
import { readTraits } from '../../traits/index.ts';
import { listPayments } from './index.ts';

const stage = await setupStage({ brand: { time_zone: 'Europe/Malta' } });
const { pool, clock, ledger } = stage;
// All histories of plain.ts fall in the 24 hours before this time.
clock.set(Date.UTC(2026, 3, 30, 8) * 1000);
const shadow = await Shadow.open(pool, 1);
afterAll(() => shadow.close());

test('P2, P3: in the database, any order and batching gives the result of the plain implementation, and the state hashes of a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies), arrivalsOf(bodies))),
      async ([bodies, batches, otherBatches]) => {
        const { brand } = await createBrand(pool, { time_zone: 'Europe/Malta' });
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => ({ kind: 'payment' as const, body: { ...body }, brand })));
          await stage.derive();
        }
        const plain = plainPayments(brand.brand_id, bodies);
        const ids: number[] = [];
        for (const [user, { payments, reported_deposit_count }] of plain) {
          const player_id = await stage.playerId(user, brand);
          ids.push(player_id);
          await expectTotals(player_id, payments);
          await expectRefused(player_id, payments);
          const traits = await readTraits(pool, { player_id, time_zone: 'Europe/Malta' }, clock.now());
          expect(traits.reported_deposit_count?.value ?? null).toBe(reported_deposit_count);
        }
        await applyToShadow(brand, otherBatches);
        const live = await stateHashes(pool, ids, clock.now());
        expect(differencesOf(ids, live, await stateHashes(pool, ids, clock.now(), shadow.schema))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

async function expectTotals(player_id: number, payments: readonly PlainPayment[]): Promise<void> {
  const traits = await readTraits(pool, { player_id, time_zone: 'Europe/Malta' }, clock.now());
  for (const [name, type] of [
    ['deposit', 'Credit'],
    ['withdrawal', 'Debit'],
  ] as const) {
    const counted = payments.filter((payment) => payment.type === type && payment.base_amount !== null);
    const baseValues = counted.map((payment) => payment.base_amount ?? 0n);
    const dates = counted.map((payment) => payment.at);
    const money = (trait: string) => millionths(String(traits[`${name}_${trait}`]?.value ?? '0'));
    expect(traits[`${name}_count`]?.value).toBe(counted.length);
    expect(money('sum')).toBe(total(baseValues));
    expect(money('fee_sum')).toBe(total(counted.map((payment) => payment.fee)));
    expect(money('biggest')).toBe(largest(baseValues));
    expect(traits[`${name}_first_at`]?.value).toBe(dates.length === 0 ? null : Math.min(...dates));
    expect(traits[`${name}_last_at`]?.value).toBe(dates.length === 0 ? null : Math.max(...dates));
    const amounts = (at: number | undefined) =>
      counted.filter((payment) => payment.at === at).map((payment) => payment.base_amount);
    if (counted.length > 0) {
      expect(amounts(Math.min(...dates))).toContain(money('first_amount'));
      expect(amounts(Math.max(...dates))).toContain(money('last_amount'));
    } else {
      expect([traits[`${name}_first_amount`]?.value, traits[`${name}_last_amount`]?.value]).toEqual([null, null]);
    }
    const today = counted.filter((payment) => dayOf('Europe/Malta', payment.at) === '2026-04-30');
    expect(traits[`${name}_count_today`]?.value).toBe(today.length);
    expect(money('sum_today')).toBe(total(today.map((payment) => payment.base_amount ?? 0n)));
    expect(traits[`${name}_count_24h`]?.value).toBe(counted.length);
    expect(money('sum_24h')).toBe(total(baseValues));
  }
}

/** Rejected and cancelled deposits. */
async function expectRefused(player_id: number, payments: readonly PlainPayment[]): Promise<void> {
  const traits = await readTraits(pool, { player_id, time_zone: 'Europe/Malta' }, clock.now());
  for (const status of ['Rejected', 'Cancelled']) {
    const of = (trait: string) => traits[`deposit_${status.toLowerCase()}_${trait}`]?.value;
    const refused = payments.flatMap((each) => (each.status === status && each.refused !== null ? [each.refused] : []));
    const refusedSum = total(refused.map((each) => each.base_amount));
    expect([of('count'), of('count_24h')]).toEqual([refused.length, refused.length]);
    expect([of('sum'), of('sum_24h')].map((sum) => millionths(String(sum)))).toEqual([refusedSum, refusedSum]);
    const today = refused.filter((each) => dayOf('Europe/Malta', each.at) === '2026-04-30');
    expect(of('count_today')).toBe(today.length);
    const last = refused.length === 0 ? null : Math.max(...refused.map((each) => each.at));
    expect(of('last_at')).toBe(last);
    const reasons = refused.filter((each) => each.at === last).map((each) => each.note);
    expect(reasons.length === 0 ? [null] : reasons).toContain(of('last_reason'));
  }
}

async function applyToShadow(brand: Brand, batches: readonly (readonly PaymentBody[])[]): Promise<void> {
  const readable = new Map<string, ReadableEvent>();
  for await (const page of ledger.history({ brand_id: brand.brand_id })) {
    for (const event of page) {
      const reading = readLedgerEvent(event, brand);
      if (reading.ok) readable.set(JSON.stringify(reading.readable.body), reading.readable);
    }
  }
  for (const batch of batches) {
    const events = batch.flatMap((body) => readable.get(JSON.stringify(body)) ?? []);
    expect(events.length).toBe(batch.length);
    await shadow.apply(events, clock.now());
  }
}

function largest(values: readonly bigint[]): bigint {
  let most = 0n;
  for (const value of values) if (value > most) most = value;
  return most;
}

function total(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

test('two Approved of one payment with different amounts give the same result, whichever arrives first', async () => {
  const results: unknown[] = [];
  for (const amounts of [
    [10, 20],
    [20, 10],
  ]) {
    const { brand } = await createBrand(pool);
    for (const amount of amounts) {
      // The event with the amount 10 is the earlier one, so it must be in force, whichever arrives first.
      const timestamp = amount === 10 ? '2026-04-30T06:00:00Z' : '2026-04-30T06:00:01Z';
      const body = paymentBody({ user_id: 'x', payment_id: 'p', amount, timestamp });
      await stage.publish({ kind: 'payment', body, brand });
      await stage.derive();
    }
    const [payment] = await listPayments(pool, await stage.playerId('x', brand), {}, 10);
    results.push([payment?.amount, payment?.conflicts, payment?.status, payment?.events.length]);
  }
  expect(results).toEqual([
    ['10', 1, 'Approved', 2],
    ['10', 1, 'Approved', 2],
  ]);
});

test('a biggest, first or last deposit that is rolled back is replaced by the next one', async () => {
  const deposit = (payment_id: string, amount: number, time: string, status = 'Approved') => ({
    kind: 'payment' as const,
    body: paymentBody({ user_id: 'big', payment_id, amount, status, timestamp: `2026-04-30T0${time}:00Z` }),
  });
  await stage.publish(deposit('1', 50, '5:00'), deposit('2', 20, '6:00'), deposit('3', 30, '7:00'));
  await stage.derive();
  await stage.publish(deposit('1', 0, '7:30', 'Rollback'), deposit('3', 0, '7:31', 'Rollback'));
  await stage.derive();
  const player_id = await stage.playerId('big');
  const traits = await readTraits(pool, { player_id, time_zone: 'Europe/Malta' }, clock.now());
  const six = Date.UTC(2026, 3, 30, 6) * 1000;
  expect(traits.deposit_biggest?.value).toBe('20');
  expect(traits.deposit_biggest_today?.value).toBe('20');
  expect(traits.deposit_biggest_24h?.value).toBe('20');
  expect([traits.deposit_first_at?.value, traits.deposit_last_at?.value]).toEqual([six, six]);
  await stage.publish(deposit('2', 0, '7:32', 'Rollback'));
  await stage.derive();
  const { rows } = await pool.query('select * from live.payment_total where player_id = $1', [player_id]);
  expect(rows).toEqual([]);
});

test('a rejected deposit shows its time and reason until it is approved; a rejection without its payment has no effect', async () => {
  const deposit = (payment_id: string, status: string, time: string, fields = {}) => ({
    kind: 'payment' as const,
    body: paymentBody({ user_id: 'no', payment_id, status, timestamp: `2026-04-30T0${time}:00Z`, ...fields }),
  });
  const player = async () => {
    const traits = await readTraits(pool, { player_id: await stage.playerId('no'), time_zone: 'UTC' }, clock.now());
    return ['count', 'sum', 'last_at', 'last_reason'].map((name) => traits[`deposit_rejected_${name}`]?.value);
  };
  const at = (hour: number) => Date.UTC(2026, 3, 30, hour) * 1000;
  await stage.publish(
    deposit('1', 'Requested', '4:00'),
    deposit('1', 'Rejected', '5:00', { amount: 40, note: 'card expired' }),
    // A retry of this refusal, with a new timestamp.
    deposit('1', 'Rejected', '7:00', { amount: 40, note: 'card expired' }),
    deposit('2', 'Requested', '5:30'),
    deposit('2', 'Rejected', '6:00', { amount: 2, note: 'limit reached' }),
    deposit('3', 'Rejected', '7:00', { note: 'nobody asked for it' }),
    deposit('4', 'Requested', '6:00', { type: 'Debit' }),
    deposit('4', 'Rejected', '7:00', { type: 'Debit' }),
  );
  await stage.derive();
  expect(await player()).toEqual([2, '42', at(6), 'limit reached']);
  await stage.publish(deposit('2', 'Approved', '6:30', { amount: 2 }));
  await stage.derive();
  expect(await player()).toEqual([1, '40', at(5), 'card expired']);
  await stage.publish(deposit('1', 'Cancelled', '7:30'));
  await stage.derive();
  expect(await player()).toEqual([0, '0', null, null]);
});

test('amounts are exact in the base currency, and the base currency has the rate 1', async () => {
  const body = (fields: Record<string, unknown>) => paymentBody({ user_id: 'exact', ...fields });
  await stage.publish(
    {
      kind: 'payment',
      body: body({ payment_id: '1', amount: '0.1', currency: 'SEK', exchange_rate: '0.08941234567891' }),
    },
    { kind: 'payment', body: body({ payment_id: '2', amount: '123456789012345678.01', exchange_rate: 3 }) },
    { kind: 'payment', body: body({ payment_id: '3', amount: 0.2, fee_amount: 0.3 }) },
  );
  await stage.derive();
  const player_id = await stage.playerId('exact');
  const traits = await readTraits(pool, { player_id, time_zone: 'Europe/Malta' }, clock.now());
  expect(traits.deposit_sum?.value).toBe('123456789012345678.218941234567891');
  expect(traits.deposit_fee_sum?.value).toBe('0.3');
  expect(traits.deposit_average?.value).toBe('41152263004115226.0729804115');
});

test('payments are listed newest first, page by page, with their events', async () => {
  const player_id = await stage.playerId('big');
  const first = await listPayments(pool, player_id, {}, 2);
  const rest = await listPayments(pool, player_id, {}, 2, first.at(-1)?.token);
  expect([...first, ...rest].map(({ payment_id, status }) => [payment_id, status])).toEqual([
    ['3', 'Rollback'],
    ['2', 'Rollback'],
    ['1', 'Rollback'],
  ]);
  expect(first[0]?.events.map(({ status, amount }) => [status, amount])).toEqual([
    ['Approved', '30'],
    ['Rollback', '0'],
  ]);
  expect(await listPayments(pool, player_id, { status: 'Approved' }, 2)).toEqual([]);
});
