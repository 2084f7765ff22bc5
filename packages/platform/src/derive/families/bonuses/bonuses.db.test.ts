import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import {
  type BonusBody,
  history,
  type PlainBonus,
  plainBonuses,
} from '../../../../testing/derive/families/bonuses/plain.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import type { Brand } from '../../../brands/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../../read.ts';
import { differencesOf } from '../../rebuild/compare.ts';
import { Shadow } from '../../rebuild/shadow.ts';
import { stateHashes } from '../../state-hash.ts';
import { readTotals, readWindow, type Window } from '../../totals/index.ts';
import { bonusTotals, listBonuses, readActiveBonuses } from './index.ts';

const time_zone = 'Europe/Malta';
const stage = await setupStage({ brand: { time_zone } });
const { pool, clock, ledger } = stage;
// All histories of plain.ts fall in the 24 hours before this time.
clock.set(Date.UTC(2026, 3, 30, 8) * 1000);
const shadow = await Shadow.open(pool, 1);
afterAll(() => shadow.close());

const lastDay = readWindow('24h') as Window;
const totalsOfPlayer = (player_id: number) =>
  readTotals(pool, bonusTotals.spec, { player_id, time_zone }, clock.now(), [lastDay]);

test('P2, P3: in the database, any order and batching gives the result of the plain implementation, and the state hashes of a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies), arrivalsOf(bodies))),
      async ([bodies, batches, otherBatches]) => {
        const { brand } = await createBrand(pool, { time_zone });
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => ({ kind: 'bonus' as const, body: { ...body }, brand })));
          await stage.derive();
        }
        const ids: number[] = [];
        for (const [user, bonuses] of plainBonuses(brand.brand_id, bodies)) {
          const player_id = await stage.playerId(user, brand);
          ids.push(player_id);
          await expectTotals(player_id, bonuses);
          await expectActive(player_id, bonuses);
        }
        expect(await bonusTotals.rollup.differences(pool, brand.brand_id)).toEqual([]);
        await applyToShadow(brand, otherBatches);
        const live = await stateHashes(pool, ids, clock.now());
        expect(differencesOf(ids, live, await stateHashes(pool, ids, clock.now(), shadow.schema))).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
}, 60_000);

async function expectTotals(player_id: number, bonuses: readonly PlainBonus[]): Promise<void> {
  const { lifetime, windows } = await totalsOfPlayer(player_id);
  const granted = bonuses.filter((bonus) => bonus.granted);
  const turned = granted.filter((bonus) => bonus.turned_real > 0n);
  const forfeited = granted.filter((bonus) => bonus.status === 'Forfeited');
  for (const { counts, sums } of [lifetime, windows.get('24h') ?? lifetime]) {
    expect(counts).toEqual({
      granted_count: granted.length,
      turned_real_count: turned.length,
      forfeited_count: forfeited.length,
      expired_count: granted.filter((bonus) => bonus.status === 'Expired').length,
    });
    expect(millionths(sums.granted_sum ?? '')).toBe(total(granted.map(({ base_amount }) => base_amount)));
    expect(millionths(sums.turned_real_sum ?? '')).toBe(total(turned.map(({ turned_real }) => turned_real)));
    expect(millionths(sums.forfeited_sum ?? '')).toBe(total(forfeited.map(({ base_amount }) => base_amount)));
  }
  const times = granted.map(({ at }) => at * 1000);
  expect(lifetime.dates.granted_first_at).toBe(times.length === 0 ? null : Math.min(...times));
  expect(lifetime.dates.granted_last_at).toBe(times.length === 0 ? null : Math.max(...times));
  const listed = await listBonuses(pool, player_id, {}, 100);
  expect(listed.map(({ user_bonus_id }) => user_bonus_id).sort()).toEqual(
    bonuses.map(({ user_bonus_id }) => user_bonus_id).sort(),
  );
}

async function expectActive(player_id: number, bonuses: readonly PlainBonus[]): Promise<void> {
  const active = bonuses.filter(({ status }) => status === 'Created' || status === 'Ongoing');
  const reported = active.flatMap(({ required_wagering }) => required_wagering ?? []);
  const least = (times: readonly number[]) => (times.length === 0 ? null : Math.min(...times) * 1000);
  const found = await readActiveBonuses(pool, player_id, clock.now());
  const { base_amount = '', base_required_wagering = null, ...rest } = found ?? {};
  expect(rest).toEqual({
    count: active.length,
    oldest_at: least(active.map(({ at }) => at)),
    // All expiries of plain.ts are later than this clock.
    next_expiry_at: least(active.flatMap(({ expires_at }) => expires_at ?? [])),
  });
  expect(millionths(base_amount)).toBe(total(active.map(({ base_amount }) => base_amount)));
  expect(base_required_wagering === null ? null : millionths(base_required_wagering)).toBe(
    reported.length === 0 ? null : total(reported),
  );
}

async function applyToShadow(brand: Brand, batches: readonly (readonly BonusBody[])[]): Promise<void> {
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

function total(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

/** One event of a bonus at an hour of April 30. */
function step(user_id: string, user_bonus_id: string, hour: number, status: string, fields: object = {}) {
  const timestamp = `2026-04-30T0${hour}:00:00Z`;
  const offer = { bonus_id: '12', bonus_code: 'WELCOME', product: 'Casino', type: 'WelcomeBonus', amount: 50 };
  const money = { currency: 'EUR', exchange_rate: 1, origin: 'www.example.com' };
  return { kind: 'bonus' as const, body: { user_id, user_bonus_id, timestamp, status, ...offer, ...money, ...fields } };
}

test('a bonus is granted once, and its amounts are those of the latest event', async () => {
  await stage.publish(step('life', 'b1', 3, 'Completed', { amount: 60, bonus_turned_real: 40 }));
  await stage.derive();
  await stage.publish(
    step('life', 'b1', 1, 'Created', { required_wagering_amount: 1000, crm_references: { id: 'c7' } }),
  );
  await stage.publish(step('life', 'b1', 2, 'Ongoing', { locked_amount: 5, bonus_turned_real: 0 }));
  await stage.derive();
  const player_id = await stage.playerId('life');
  const [bonus] = await listBonuses(pool, player_id, {}, 10);
  const at = (hour: number) => Date.UTC(2026, 3, 30, hour) * 1000;
  expect(bonus).toMatchObject({
    user_bonus_id: 'b1',
    status: 'Completed',
    status_at: at(3),
    granted: true,
    at: at(1),
    base_amount: '60',
    base_turned_real: '40',
    turned_real_at: at(3),
    base_locked_amount: '5',
    base_required_wagering: '1000',
    bonus_code: 'WELCOME',
    crm_references: { id: 'c7' },
    conflicts: 0,
  });
  expect(bonus?.events.map(({ status }) => status)).toEqual(['Created', 'Ongoing', 'Completed']);
  const { lifetime } = await totalsOfPlayer(player_id);
  expect(lifetime.counts).toMatchObject({ granted_count: 1, turned_real_count: 1 });
  expect(lifetime.sums).toMatchObject({ granted_sum: '60', turned_real_sum: '40' });
});

test('a Reversed bonus is no longer granted, whichever batch it arrives in, and its dates are removed', async () => {
  await stage.publish(
    step('back', 'b1', 1, 'Created'),
    step('back', 'b2', 4, 'Created', { product: 'Sportsbook', bonus_turned_real: 9 }),
  );
  await stage.derive();
  const player_id = await stage.playerId('back');
  expect((await totalsOfPlayer(player_id)).lifetime.counts.granted_count).toBe(2);
  await stage.publish(step('back', 'b2', 5, 'Reversed'));
  await stage.derive();
  const { lifetime } = await totalsOfPlayer(player_id);
  expect(lifetime.counts).toMatchObject({ granted_count: 1, turned_real_count: 0 });
  expect(lifetime.dates.granted_last_at).toBe(Date.UTC(2026, 3, 30, 1) * 1000);
  const { rows } = await pool.query('select product from live.bonus_total where player_id = $1', [player_id]);
  expect(rows).toEqual([{ product: 'Casino' }]);
  expect(await bonusTotals.rollup.differences(pool, stage.brand.brand_id)).toEqual([]);
  await stage.publish(step('back', 'b2', 6, 'Ongoing', { product: 'Sportsbook' }));
  await stage.derive();
  const again = (await totalsOfPlayer(player_id)).lifetime;
  expect(again.counts.granted_count).toBe(2);
  expect(again.dates.granted_last_at).toBe(Date.UTC(2026, 3, 30, 6) * 1000);
});

test('bonuses are listed latest grant first, page by page, with filters', async () => {
  await stage.publish(
    step('list', 'b1', 1, 'Created'),
    step('list', 'b2', 2, 'Forfeited'),
    step('list', 'b3', 2, 'Created', { product: 'Poker' }),
    step('list', 'b1', 1, 'Created', { amount: 51 }),
  );
  await stage.derive();
  const player_id = await stage.playerId('list');
  const first = await listBonuses(pool, player_id, {}, 2);
  const rest = await listBonuses(pool, player_id, {}, 2, first.at(-1));
  expect([...first, ...rest].map(({ user_bonus_id }) => user_bonus_id)).toEqual(['b3', 'b2', 'b1']);
  const ids = async (filter: Parameters<typeof listBonuses>[2]) =>
    (await listBonuses(pool, player_id, filter, 10)).map(({ user_bonus_id }) => user_bonus_id);
  expect(await ids({ status: 'forfeited' })).toEqual(['b2']);
  expect(await ids({ product: 'Poker' })).toEqual(['b3']);
  expect(await ids({ conflicting: true })).toEqual(['b1']);
  expect(await ids({ user_bonus_id: 'b2' })).toEqual(['b2']);
  expect(await ids({ to: Date.UTC(2026, 3, 30, 1) * 1000 })).toEqual(['b1']);
});
