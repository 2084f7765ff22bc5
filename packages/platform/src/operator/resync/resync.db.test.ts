import { expect, test } from 'vitest';
import { testClock } from '../../../testing/clock.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSync } from '../../../testing/operator/setup-sync.ts';
import { transaction } from '../../database/index.ts';
import { lookUps } from '../judging/judgment.ts';
import { requestRefresh } from '../players/reading/refresh.ts';
import type { ResyncFilter } from './filter.ts';
import { nextPlayers } from './player-store.ts';
import { Resynchronizer } from './resynchronizer.ts';
import type { NewResync } from './run-store.ts';
import { changeRun, insertRun, playersNamed, readRun } from './run-store.ts';
import { mostOpen } from './step.ts';

const { pool } = await setupDatabase();
const second = 1_000_000;
const pollOptions = { interval: 10 };

async function setup(players: number, options: { started?: boolean } = {}) {
  const sync = await setupSync(pool, options);
  const { brand, operator } = sync;
  const brand_id = brand.brand_id;
  for (let n = 1; n <= players; n++) operator.books.addPlayer(`p-${n}`);
  await pool.query(
    `insert into player (brand_id, user_id, bucket) select $1, 'p-' || n, 0 from generate_series(1, $2) n`,
    [brand_id, players],
  );
  const clock = testClock();
  const brands = { byId: (id: number) => (id === brand_id ? brand : undefined) };
  const worker = () => new Resynchronizer({ pool, brands, clock: clock.now, log: testLog });
  const begin = async (changes: Partial<NewResync> = {}) => {
    const whole = { brand_id, filter: {}, player_ids: null, look_ups: lookUps, per_second: null };
    const run = await insertRun(pool, { ...whole, requested_by: 'a test', now: clock.now(), ...changes });
    if (run === undefined) throw new Error('another run is active');
    return run;
  };
  const read = async (resyncId: number) => {
    const run = await readRun(pool, brand_id, resyncId);
    if (run === undefined) throw new Error('the run is gone');
    return run;
  };
  const change = (resync_id: number, what: 'pause' | 'continue' | 'cancel') =>
    transaction(pool, (tx) => changeRun(tx, { brand_id, resync_id }, what, clock.now()));
  return { ...sync, clock, worker, begin, read, change, brand_id };
}

/** Makes steps one second apart until the run is over. Meanwhile, the real worker makes the look-ups. */
async function untilOver(of: Awaited<ReturnType<typeof setup>>, resyncId: number) {
  const worker = of.worker();
  await expect
    .poll(async () => {
      await worker.runOnce();
      of.clock.advance(second);
      return (await of.read(resyncId)).state;
    }, pollOptions)
    .toBe('done');
  return of.read(resyncId);
}

test('a whole brand is looked up again, at its pace, to the last player', async () => {
  const of = await setup(50);
  const { resync_id } = await of.begin();
  const worker = of.worker();
  expect(await worker.runOnce()).toEqual({ asked: 0, answered: 0, failed: 0 });
  expect(await of.read(resync_id)).toMatchObject({ state: 'asking', total: 50 });
  // The setting: 20 players a second, three look-ups each.
  expect((await worker.runOnce()).asked).toBe(3);
  of.clock.advance(second / 2);
  expect((await worker.runOnce()).asked).toBe(30);
  expect((await worker.runOnce()).asked).toBe(0);
  const run = await untilOver(of, resync_id);
  expect(run).toMatchObject({ asked: 150, answered: 150, failed: 0, total: 50 });
  expect(of.operator.calls.count()).toBe(150);
});

test('any number of workers, and crashes between steps, request each player once', async () => {
  const of = await setup(60, { started: false });
  const { resync_id } = await of.begin({ look_ups: ['consents'] });
  const workers = [of.worker(), of.worker(), of.worker()];
  while ((await of.read(resync_id)).state === 'asking') {
    await Promise.all(workers.map((worker) => worker.runOnce()));
    // A worker that dies inside its step leaves nothing behind.
    await expect(
      transaction(pool, async (tx) => {
        await tx.query('update resync set position = position + 10 where resync_id = $1', [resync_id]);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    of.clock.advance(second / 4);
  }
  const { rows } = await pool.query(
    'select look_up, requested, lane, count(*)::int as players from player_sync where brand_id = $1 group by 1, 2, 3',
    [of.brand_id],
  );
  expect(rows).toEqual([{ look_up: 'consents', requested: 1, lane: 1, players: 60 }]);
  expect(await of.read(resync_id)).toMatchObject({ state: 'answering', asked: 60, answered: 0 });
});

test('a paused run requests nothing and then continues at its position; a cancelled run is over', async () => {
  const of = await setup(40, { started: false });
  const { resync_id } = await of.begin();
  const worker = of.worker();
  await worker.runOnce();
  await worker.runOnce();
  expect(await of.change(resync_id, 'pause')).toMatchObject({ state: 'paused', asked: 3 });
  await expect(of.begin()).rejects.toThrow('another run is active');
  of.clock.advance(60 * second);
  expect((await worker.runOnce()).asked).toBe(0);
  expect(await of.change(resync_id, 'pause')).toBeUndefined();
  expect(await of.change(resync_id, 'continue')).toMatchObject({ state: 'asking' });
  expect((await worker.runOnce()).asked).toBe(60);
  expect(await of.change(resync_id, 'cancel')).toMatchObject({ state: 'cancelled', finished_at: of.clock.now() });
  expect(await of.change(resync_id, 'continue')).toBeUndefined();
  of.clock.advance(second);
  expect((await worker.runOnce()).asked).toBe(0);
  const { rows } = await pool.query('select count(*)::int as due from player_sync where brand_id = $1', [of.brand_id]);
  expect(rows).toEqual([{ due: 63 }]);
  await of.begin();
});

test('while the operator does not answer, the run waits with a short queue', async () => {
  const of = await setup(1_500, { started: false });
  const { resync_id } = await of.begin({ per_second: 1_000 });
  const worker = of.worker();
  for (let n = 0; n < 20; n++) {
    await worker.runOnce();
    of.clock.advance(second);
  }
  expect(await of.read(resync_id)).toMatchObject({ state: 'asking', asked: mostOpen });
  await pool.query('update player_sync set done = requested where brand_id = $1', [of.brand_id]);
  for (let n = 0; n < 10; n++) {
    await worker.runOnce();
    of.clock.advance(second);
  }
  expect(await of.read(resync_id)).toMatchObject({ state: 'answering', asked: 4_500, answered: mostOpen });
});

test('players whom the operator does not know count as failed, and an erased one is not counted', async () => {
  const of = await setup(3, { started: false });
  const { resync_id } = await of.begin({ look_ups: ['details'], per_second: 1_000 });
  const worker = of.worker();
  while ((await of.read(resync_id)).state === 'asking') {
    await worker.runOnce();
    of.clock.advance(second);
  }
  await pool.query(
    `update player_sync s set attempts = case p.user_id when 'p-1' then 3 else 2 end,
            done = case p.user_id when 'p-2' then s.requested else 0 end
       from player p where p.player_id = s.player_id and s.brand_id = $1`,
    [of.brand_id],
  );
  expect(await worker.runOnce()).toMatchObject({ answered: 1, failed: 1 });
  await pool.query(`delete from player_sync where brand_id = $1 and attempts = 2 and done = 0`, [of.brand_id]);
  await worker.runOnce();
  await worker.runOnce();
  expect(await of.read(resync_id)).toMatchObject({ state: 'done', asked: 3, answered: 1, failed: 1 });
});

test('an erased player is neither counted, nor named, nor requested', async () => {
  const of = await setup(3, { started: false });
  const { rows } = await pool.query<{ player_id: number }>(
    `update player set user_id = 'erased:1', erased_at = now() where brand_id = $1 and user_id = 'p-2' returning player_id`,
    [of.brand_id],
  );
  const named = await playersNamed(pool, of.brand_id, ['p-1', 'p-2', 'erased:1']);
  expect(named).toEqual({ player_ids: [expect.any(Number)], unknown: ['p-2', 'erased:1'] });
  const erased = rows.map(({ player_id }) => player_id);
  const runs = [{}, { player_ids: [...named.player_ids, ...erased] }];
  const totals: (number | null)[] = [];
  for (const changes of runs) {
    const { resync_id } = await of.begin({ ...changes, per_second: 1_000 });
    const worker = of.worker();
    for (let n = 0; n < 3; n++) {
      await worker.runOnce();
      of.clock.advance(second);
    }
    totals.push((await of.read(resync_id)).total);
    await of.change(resync_id, 'cancel');
  }
  expect(totals).toEqual([2, 1]);
  // Erased between two statements of the request: the tombstone gets no row either.
  await requestRefresh(pool, { player_id: erased[0] ?? 0, brand_id: of.brand_id });
  const asked = await pool.query('select from player_sync where player_id = any($1)', [erased]);
  expect(asked.rowCount).toBe(0);
});

test('a filter selects the players who meet all its conditions', async () => {
  const of = await setup(6, { started: false });
  const { rows: players } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 order by player_id',
    [of.brand_id],
  );
  const ids = players.map(({ player_id }) => player_id);
  const [mt, de, late, missing, retrying, bare] = ids;
  await pool.query(
    `insert into player_profile (player_id, country, origin, market, registration_date, changed_at) values
       ($1, 'MT', 'a', 'm', '2026-01-01T00:00:00Z', now()), ($2, 'DE', 'a', 'm', '2026-02-01T00:00:00Z', now()),
       ($3, 'MT', 'b', 'n', '2026-03-01T00:00:00Z', now())`,
    [mt, de, late],
  );
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, lane, requested, done, attempts, parked, as_of) values
       ($2, 'details', $1, 0, 1, 1, 0, false, '2026-04-01T00:00:00Z'), ($3, 'details', $1, 0, 1, 1, 0, false, '2026-04-09T00:00:00Z'),
       ($4, 'details', $1, 0, 1, 0, 9, true, null), ($5, 'details', $1, 0, 2, 1, 2, false, '2026-04-09T00:00:00Z')`,
    [of.brand_id, mt, de, missing, retrying],
  );
  const at = (text: string) => Date.parse(text) * 1_000;
  const cases: [ResyncFilter, unknown[]][] = [
    [{}, ids],
    [{ countries: ['MT'] }, [mt, late]],
    [{ countries: ['MT', 'DE'], origins: ['a'], markets: ['m'] }, [mt, de]],
    [{ registered_from: at('2026-02-01'), registered_to: at('2026-02-28') }, [de]],
    [{ looked_up_before: at('2026-04-02') }, [mt, late, missing, bare]],
    [{ states: ['details_missing'] }, [missing]],
    [{ states: ['retrying', 'details_missing'] }, [missing, retrying]],
    [{ states: ['never'], countries: ['MT'] }, [late]],
  ];
  for (const [filter, expected] of cases) {
    const { resync_id } = await of.begin({ filter, look_ups: ['details'], per_second: 1_000 });
    const worker = of.worker();
    await worker.runOnce();
    const { rows } = await pool.query<{ total: number }>('select total from resync where resync_id = $1', [resync_id]);
    expect([filter, rows[0]?.total]).toEqual([filter, expected.length]);
    // The players that it would request next. Really requesting them would change the states that the next case reads.
    const run = await of.read(resync_id);
    const last_player_id = run.last_player_id ?? 0;
    const found = await transaction(pool, (tx) => nextPlayers(tx, { ...run, last_player_id }, 100));
    expect([filter, found.player_ids]).toEqual([filter, expected]);
    await of.change(resync_id, 'cancel');
  }
  const { resync_id } = await of.begin({ player_ids: [retrying, mt].map(Number) });
  await of.worker().runOnce();
  expect(await of.read(resync_id)).toMatchObject({ total: 2, named: 2 });
});
