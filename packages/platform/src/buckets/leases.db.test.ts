import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import type { ClockGuard } from '../chores/index.ts';
import { openPool, transaction } from '../database/index.ts';
import { bucketCount, type Cursor } from '../ledger/index.ts';
import { countWorkers } from './lease-store.ts';
import { BucketLeases, FencedOff } from './leases.ts';

const { pool, url } = await setupDatabase();
/** Only the ledger interprets a cursor. The leases accept any JSON. */
const cursorAt = (place: number) => ({ place }) as unknown as Cursor;
const beginning = cursorAt(0);

beforeEach(async () => {
  await pool.query('delete from worker; update bucket set worker_id = null, fence = 0, cursor = null');
});

/** A worker with a clock that the test controls, in milliseconds. The test runs its rounds. */
function worker(name: string, clock: { ms: number }, guard?: ClockGuard): BucketLeases {
  return new BucketLeases({
    pool,
    process: name,
    beginning,
    log: pino({ level: 'silent' }),
    monotonic: () => clock.ms,
    ...(guard && { guard }),
  });
}

describe('leases of buckets', () => {
  test('one worker takes all buckets; a second one gets half, and gives them back when it stops', async () => {
    const clock = { ms: 0 };
    const [one, two] = [worker('one', clock), worker('two', clock)];
    await one.runOnce();
    expect(one.owned().size).toBe(bucketCount);
    await two.runOnce();
    await one.runOnce();
    await two.runOnce();
    expect([one.owned().size, two.owned().size]).toEqual([32, 32]);
    expect([...one.owned().keys()].some((bucket) => two.owned().has(bucket))).toBe(false);
    await two.stop();
    await one.runOnce();
    expect(one.owned().size).toBe(bucketCount);
  });

  test('a worker whose clock is wrong frees its buckets, takes none, and is not counted', async () => {
    const clock = { ms: 0 };
    const guard = { wrong: false, isWrong: () => guard.wrong };
    const [skewed, healthy] = [worker('skewed', clock, guard), worker('healthy', clock)];
    await skewed.runOnce();
    guard.wrong = true;
    expect(await skewed.runOnce()).toEqual({ taken: 0, freed: bucketCount, dead: 0 });
    await healthy.runOnce();
    expect([skewed.owned().size, healthy.owned().size]).toEqual([0, bucketCount]);
    expect(await skewed.runOnce()).toEqual({ taken: 0, freed: 0, dead: 0 });
    guard.wrong = false;
    await skewed.runOnce();
    await healthy.runOnce();
    await skewed.runOnce();
    expect([skewed.owned().size, healthy.owned().size]).toEqual([32, 32]);
    await Promise.all([skewed.stop(), healthy.stop()]);
  });

  test('a suspended worker loses its buckets after 5 s and writes nothing when it wakes up', async () => {
    const clock = { ms: 0 };
    const [stopped, other] = [worker('stopped', clock), worker('other', clock)];
    await stopped.runOnce();
    const lease = stopped.owned().get(7);
    expect(lease).toBeDefined();
    await other.runOnce();
    for (let round = 0; round < 4; round++) {
      clock.ms += 1_200;
      await other.runOnce();
      expect(other.owned().size).toBe(0);
    }
    clock.ms += 1_200;
    await other.runOnce();
    expect(other.owned().size).toBe(bucketCount);

    const late = transaction(pool, (tx) =>
      stopped.advance(tx, [{ bucket: 7, fence: lease?.fence ?? 0, cursor: cursorAt(9) }]),
    );
    await expect(late).rejects.toThrow(FencedOff);
    const { rows } = await pool.query('select cursor from bucket where bucket = 7');
    expect(rows).toEqual([{ cursor: null }]);

    await stopped.runOnce();
    expect(stopped.owned().size, 'it starts again, with nothing').toBe(0);
  });

  test('a worker suspended inside a transaction does not keep its rows locked', async () => {
    const clock = { ms: 0 };
    const name = 'stopped in a transaction';
    const itsPool = openPool(url, { name });
    const stopped = new BucketLeases({ pool: itsPool, process: name, beginning, log: pino({ level: 'silent' }) });
    await stopped.runOnce();
    const client = await itsPool.connect();
    client.on('error', () => {});
    await client.query('begin');
    const fence = stopped.owned().get(3)?.fence ?? 0;
    await stopped.advance(client, [{ bucket: 3, fence, cursor: cursorAt(5) }]);

    const other = worker('other', clock);
    await expect
      .poll(async () => {
        clock.ms += 1_000;
        await other.runOnce();
        return other.owned().size;
      })
      .toBe(bucketCount);
    await expect(client.query('commit')).rejects.toThrow();
    client.release(true);
    await itsPool.end();
    expect(other.owned().get(3)?.cursor).toEqual(beginning);
  });

  test('a worker whose process has ended loses its buckets after 1.5 s without a connection', async () => {
    const clock = { ms: 0 };
    const name = 'killed';
    const itsPool = openPool(url, { name });
    await new BucketLeases({ pool: itsPool, process: name, beginning, log: pino({ level: 'silent' }) }).runOnce();
    const other = worker('other', clock);
    const check = async (ms: number) => {
      clock.ms += ms;
      await other.runOnce();
      return other.owned().size;
    };
    // While the worker is connected, it counts as dead only after its heartbeat has not moved for 5 s.
    for (let round = 0; round < 4; round++) expect(await check(1_000)).toBe(0);
    expect(await countWorkers(pool)).toBe(2);
    await itsPool.end();
    await expect
      .poll(async () => {
        const { rows } = await pool.query('select from pg_stat_activity where application_name = $1', [
          `croupier ${name}`,
        ]);
        return rows.length;
      })
      .toBe(0);
    // Its row stays until another worker deletes it. It is not counted, because the alert for a missing worker uses this number.
    expect(await countWorkers(pool)).toBe(1);
    const { rows } = await pool.query(`update worker set beat = beat + 1 where process = $1 returning beat`, [name]);
    expect(rows).toHaveLength(1);
    expect([await check(1_000), await check(1_000), await check(400)]).toEqual([0, 0, 0]);
    expect(await check(100)).toBe(bucketCount);
  });

  test('cursors move with the transaction of the batch, and do not move if it rolls back', async () => {
    const clock = { ms: 0 };
    const one = worker('one', clock);
    await one.runOnce();
    const fence = one.owned().get(1)?.fence ?? 0;
    const moves = [{ bucket: 1, fence, cursor: cursorAt(4) }];
    await expect(
      transaction(pool, async (tx) => {
        await one.advance(tx, moves);
        throw new Error('the batch failed');
      }),
    ).rejects.toThrow('the batch failed');
    expect((await pool.query('select cursor from bucket where bucket = 1')).rows).toEqual([{ cursor: null }]);
    await transaction(pool, (tx) => one.advance(tx, moves));
    one.moved(moves, { stored: true });
    expect(one.owned().get(1)?.cursor).toEqual(cursorAt(4));
    expect((await pool.query('select cursor from bucket where bucket = 1')).rows).toEqual([{ cursor: cursorAt(4) }]);
  });

  test('cursors that moved without events are stored when the worker stops', async () => {
    const one = worker('one', { ms: 0 });
    await one.runOnce();
    one.moved([{ bucket: 2, fence: one.owned().get(2)?.fence ?? 0, cursor: cursorAt(8) }], { stored: false });
    await one.stop();
    expect((await pool.query('select cursor from bucket where bucket = 2')).rows).toEqual([{ cursor: cursorAt(8) }]);
  });

  test('workers that could not check each other during a database outage do not remove each other afterwards', async () => {
    const clock = { ms: 0 };
    const [one, two] = [worker('one', clock), worker('two', clock)];
    for (const each of [one, two, one, two]) await each.runOnce();
    clock.ms += 60_000;
    expect(await one.runOnce()).toEqual({ taken: 0, freed: 0, dead: 0 });
    expect(await two.runOnce()).toEqual({ taken: 0, freed: 0, dead: 0 });
    clock.ms += 1_000;
    expect(await one.runOnce()).toEqual({ taken: 0, freed: 0, dead: 0 });
    expect([one.owned().size, two.owned().size]).toEqual([32, 32]);
  });

  test('concurrent rounds are combined: a worker that was removed registers once', async () => {
    const one = worker('one', { ms: 0 });
    await one.runOnce();
    await pool.query('delete from worker');
    await Promise.all([one.runOnce(), one.runOnce(), one.runOnce()]);
    expect((await pool.query('select process from worker')).rows).toEqual([{ process: 'one' }]);
    expect(one.owned().size).toBe(bucketCount);
  });

  test('a check that is followed by a change of owner takes nothing', async () => {
    const clock = { ms: 0 };
    const [one, two] = [worker('one', clock), worker('two', clock)];
    await Promise.all([one.runOnce(), two.runOnce()]);
    await Promise.all([one.runOnce(), two.runOnce()]);
    await Promise.all([one.runOnce(), two.runOnce()]);
    expect(one.owned().size + two.owned().size).toBe(bucketCount);
  });
});
