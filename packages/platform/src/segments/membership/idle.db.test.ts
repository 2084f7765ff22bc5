import type { Rule } from '@croupier/rules';
import { beforeEach, expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { fewestWritesOf } from '../../../testing/writes-of.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { insertRecordChanges } from '../../operator/protection/index.ts';
import { noteBucketFailures, readFailingBuckets } from './live/bucket-failures.ts';
import { retryAfter } from './live/lane.ts';
import { tagPlayers } from './tags/store.ts';

/* A lane that finds nothing stops making whole rounds. It must still find whatever becomes work. */
const { pool, brand, clock, lane, publish, derive, follow, segment, members } = await setupSegments();
const rule = (...rules: Rule['rules']): Rule => ({ combinator: 'and', rules });
const hour = 3_600_000_000;

let number = 0;
const deposit = async (user_id: string, ago = 0) => {
  const timestamp = timestamptzText(clock.now() - ago);
  const payment_id = `payment ${number++}`;
  await publish({ kind: 'payment', body: paymentBody({ user_id, payment_id, timestamp }) });
  await derive();
};
const idOf = async (user_id: string) => {
  const { rows } = await pool.query<{ player_id: number }>('select player_id from player where user_id = $1', [
    user_id,
  ]);
  return rows[0]?.player_id ?? 0;
};

await deposit('ann');
await segment('recent', rule({ field: 'did.payment', match: { mode: 'atLeast', threshold: 1 }, within: 'PT1H' }));
await segment('vips', rule({ field: 'tag.vip', operator: '=', value: true }));
await segment('everybody', rule());

/** Before each test, the lane has found nothing for some rounds. */
beforeEach(becomeIdle);

async function becomeIdle(): Promise<void> {
  await follow();
  await lane.runOnce();
  expect(await fewestWritesOf(() => lane.runOnce())).toBe(1);
}

test('an idle lane processes a new event, and later the end of its window', async () => {
  clock.advance(2 * hour);
  await follow();
  await becomeIdle();
  expect(await members('recent')).toEqual([]);
  await deposit('ann');
  expect(await lane.runOnce()).toMatchObject({ news: 1, transitions: 1 });
  expect(await members('recent')).toEqual(['ann']);
  await becomeIdle();
  clock.advance(hour + 1_000_000);
  expect(await lane.runOnce()).toMatchObject({ transitions: 1 });
  expect(await members('recent')).toEqual([]);
});

test('an idle lane evaluates a new player even if no rule reads the event of the player', async () => {
  await publish({ kind: 'login', body: { user_id: 'bob', timestamp: timestamptzText(clock.now()) } });
  await derive();
  await pool.query('delete from segment_news');
  await lane.runOnce();
  expect(await members('everybody')).toContain('bob');
});

test('an idle lane processes a change of a tag', async () => {
  const { brand_id } = brand;
  const change = { player_id: await idOf('ann'), brand_id, tag: 'vip', action: 'add', actor: 'a test' } as const;
  await transaction(pool, (tx) => tagPlayers(tx, [change], clock.now()));
  await lane.runOnce();
  expect(await members('vips')).toEqual(['ann']);
});

test('an idle lane processes a change of the records of a player', async () => {
  const player_id = await idOf('ann');
  await transaction(pool, (tx) =>
    insertRecordChanges(tx, [player_id], { source: 'staff', at: clock.now() }, new Set()),
  );
  await lane.runOnce();
  expect((await pool.query('select from record_change')).rowCount).toBe(0);
});

test('an idle lane replaces a due time that is only an early bound', async () => {
  await deposit('ann');
  await becomeIdle();
  await pool.query('update segment_due set rough = true');
  const { rowCount } = await pool.query('select from segment_due where rough');
  expect(rowCount).toBeGreaterThan(0);
  await lane.runOnce();
  expect((await pool.query('select from segment_due where rough')).rowCount).toBe(0);
});

test('an idle lane records a recovery although nothing is left to do', async () => {
  await noteBucketFailures(pool, [{ bucket: 5, reason: 'a test' }], clock.now());
  await lane.runOnce();
  expect(await readFailingBuckets(pool)).toMatchObject({ buckets: [5] });
  clock.advance(retryAfter);
  await lane.runOnce();
  expect(await readFailingBuckets(pool)).toMatchObject({ buckets: [] });
});
