import { beforeEach, expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import type { DerivedBatch } from '../consumer.ts';
import { timeline } from '../journal/index.ts';
import { readTraits } from '../traits/index.ts';
import { listParked, parkedCounts } from './index.ts';

/** Payments for which the consumer fails with a database error, as `user_id/payment_id`. The error is about their content. */
const poisoned = new Set<string>();
let tries = 0;
const followed: string[] = [];
const stage = await setupStage({
  // One lane, so that the test can count the tries of a batch.
  lanes: 1,
  consumers: [
    {
      async onBatch(tx, batch: DerivedBatch) {
        tries += 1;
        const names = batch.applied.map(({ user_id, event }) =>
          event.kind === 'payment' ? `${user_id}/${event.payment_id}` : `${user_id}/${event.kind}`,
        );
        if (names.some((name) => poisoned.has(name))) await tx.query('select 1 / 0');
        followed.push(...names);
      },
    },
  ],
});
const { pool, clock, brand, publish, derive, playerId } = stage;
const minute = 60_000_000;

const deposit = (user_id: string, payment_id: string) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id }),
});

const login = (user_id: string) => ({
  kind: 'login' as const,
  body: { user_id, timestamp: '2026-05-01T11:00:00Z' },
});

async function depositCount(user: string): Promise<unknown> {
  const traits = await readTraits(pool, { player_id: await playerId(user), time_zone: 'UTC' }, clock.now());
  return traits.deposit_count?.value;
}

beforeEach(() => {
  poisoned.clear();
  followed.length = 0;
  tries = 0;
});

test('only the failing event is parked, with its reason; all others are applied, including those of its player', async () => {
  poisoned.add('bad/2');
  const others = Array.from({ length: 200 }, (_, i) => `good-${i}`);
  const own = ['1', '2', '3', '4', '5'].map((payment_id) => deposit('bad', payment_id));
  await publish(...own, ...others.map((user) => deposit(user, '1')), { ...login('bad'), kind: 'user_update' });
  await derive();
  for (const user of others.slice(0, 5)) expect(await depositCount(user)).toBe(1);
  const { rows } = await pool.query('select count(*) as n from live.payment_total');
  expect(rows[0].n).toBe(others.length + 1);
  expect(await depositCount('bad')).toBe(4);
  expect(followed).toContain('bad/user_update');
  const [parked, ...rest] = await listParked(pool, brand.brand_id, 10);
  expect(rest).toEqual([]);
  expect(parked).toMatchObject({ user_id: 'bad', cause: 'failing', events: 1, parked_at: clock.now(), attempts: 0 });
  expect(parked?.reason).toContain('division by zero');
  // The worker tries the whole batch, its buckets, the players of one bucket, and the halves of one player's events. That takes far
  // fewer tries than one per event.
  expect(tries).toBeLessThan(1 + 64 + 20 + 6);
});

test('later events of the player are applied as they arrive, separately from those of others', async () => {
  poisoned.add('bad/6');
  await publish(deposit('bad', '6'), login('bad'), deposit('good-0', '2'), deposit('good-1', '2'));
  await derive();
  expect(await depositCount('good-0')).toBe(2);
  expect(await depositCount('bad')).toBe(4);
  expect(followed).toContain('bad/login');
  // One try applies the events of all other players. Then the events of the suspect are tried together, and one by one.
  expect(tries).toBe(1 + 3);
  await publish(deposit('bad', '7'), deposit('good-0', '3'));
  await derive();
  expect(await depositCount('bad')).toBe(5);
  tries = 0;
  await publish(deposit('bad', '8'), deposit('good-0', '4'));
  await derive();
  expect(tries).toBe(1);
  expect(await parkedCounts(pool)).toEqual({ players: 1, events: 2 });
});

test('each parked event is retried separately, and counts once when its cause is gone', async () => {
  poisoned.add('bad/6');
  clock.advance(minute);
  expect(await stage.worker.retryOnce()).toEqual({ tried: 2, applied: 1, failed: 1 });
  expect(await depositCount('bad')).toBe(7);
  // The delay grows, so nothing is due right away.
  expect(await stage.worker.retryOnce()).toEqual({ tried: 0, applied: 0, failed: 0 });
  expect(await listParked(pool, brand.brand_id, 10)).toMatchObject([{ events: 1, attempts: 1 }]);
  poisoned.clear();
  clock.advance(minute);
  expect(await stage.worker.retryOnce()).toEqual({ tried: 1, applied: 1, failed: 0 });
  expect(await depositCount('bad')).toBe(8);
  expect(await parkedCounts(pool)).toEqual({ players: 0, events: 0 });
  const { entries } = await timeline(pool, await playerId('bad'), { kinds: ['payment'] }, 10);
  expect(entries.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 8 }, () => 'applied'));
  await publish(deposit('bad', '9'), deposit('bad', '3'));
  await derive();
  expect(await depositCount('bad')).toBe(9);
});

test('only the event that cannot be read is parked', async () => {
  const unreadable = { user_id: 'odd', timestamp: '2026-05-01T10:00:00Z', type: 'Credit' };
  await publish({ kind: 'payment', body: unreadable }, deposit('odd', '1'));
  await derive();
  expect(await depositCount('odd')).toBe(1);
  const [parked] = await listParked(pool, brand.brand_id, 10);
  expect(parked).toMatchObject({ cause: 'unreadable', user_id: null, events: 1, oldest: { kind: 'payment' } });
  expect(parked?.reason).toContain('amount');
  clock.advance(minute);
  expect(await stage.worker.retryOnce()).toEqual({ tried: 1, applied: 0, failed: 1 });
  expect((await listParked(pool, brand.brand_id, 10))[0]).toMatchObject({
    attempts: 1,
    retry_at: clock.now() + minute,
  });
});

test('an event in a damaged block stays parked until the block can be read', async () => {
  poisoned.add('torn/1');
  await publish(deposit('torn', '1'));
  await derive();
  poisoned.clear();
  clock.advance(minute);
  const block = `from parked_event e where e.user_id = 'torn' and b.writer_id = e.writer_id and b.seq = e.seq`;
  const { rows } = await pool.query<{ payload: Buffer }>(
    `select payload from ledger_block b join parked_event e using (writer_id, seq) where e.user_id = 'torn'`,
  );
  await pool.query(`update ledger_block b set payload = '\\x07ff' ${block}`);
  expect(await stage.worker.retryOnce()).toMatchObject({ applied: 0 });
  const parked = (await listParked(pool, brand.brand_id, 10)).find(({ user_id }) => user_id === 'torn');
  expect(parked).toMatchObject({ attempts: 1, reason: expect.stringContaining('cannot be read') });
  await pool.query(`update ledger_block b set payload = $1 ${block}`, [rows[0]?.payload]);
  clock.advance(5 * minute);
  expect(await stage.worker.retryOnce()).toMatchObject({ applied: 1 });
  expect(await depositCount('torn')).toBe(1);
});

test('a worker that lost the bucket retries nothing', async () => {
  await pool.query('update bucket set fence = fence + 1');
  clock.advance(24 * 60 * minute);
  await expect(stage.worker.retryOnce()).rejects.toThrow('belong to another worker');
});
