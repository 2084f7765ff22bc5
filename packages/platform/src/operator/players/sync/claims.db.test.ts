import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../../../testing/database.ts';
import { testLog } from '../../../../testing/log.ts';
import { isCurrent, makeWorker, setupSync } from '../../../../testing/operator/setup-sync.ts';
import { writesOf } from '../../../../testing/writes-of.ts';
import { transaction } from '../../../database/index.ts';
import type { JudgedBlock } from '../../judging/judgment.ts';
import { applyResults, type LookUpResult } from '../records/apply-results.ts';
import { ResultWriter } from '../records/result-writer.ts';
import { type LookUpClaim, lookUpQueue } from './claim-store.ts';
import { ClockWatch } from './clock-watch.ts';
import { lanes } from './lane.ts';
import { noteNews } from './news-store.ts';
import { requestLookUps } from './request-store.ts';

const { pool } = await setupDatabase();

const wanted = { look_up: 'blocks', lane: lanes.live, free: 10, claim_ms: 60_000, overdue: true } as const;

function resultOf(claim: LookUpClaim | undefined, active: boolean): LookUpResult {
  if (claim === undefined) throw new Error('nothing was claimed');
  const block: JudgedBlock = { type_key: 'excluded', type: 'Excluded', spelling: 'Excluded', active, note: null };
  const found = { look_up: 'blocks' as const, record: { blocks: [block], unreadable_items: false } };
  return { claim, outcome: { found, problems: [], asked_at: Date.now() * 1000 } };
}

const apply = async (result: LookUpResult) => {
  const { written } = await transaction(pool, (tx) => applyResults(tx, [result]));
  return written.length;
};
/** Makes the player's claims expire. */
const runOut = (player: number) => pool.query('update player_sync set due_at = now() where player_id = $1', [player]);

describe('claims', () => {
  test('a worker whose claim expired and was taken over writes nothing, whether it tries to write before or after its successor', async () => {
    const { brand, addPlayer, refresh, read } = await setupSync(pool, { started: false });
    const player = await addPlayer('ann');
    await refresh(player, ['blocks']);
    const [stopped] = await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
    await runOut(player);
    const [successor] = await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
    expect(successor?.player_id).toBe(player);
    expect(successor?.claim).not.toBe(stopped?.claim);
    expect(await apply(resultOf(stopped, false))).toBe(0);
    expect((await read(player)).blocks[0]).toMatchObject({ active: null });
    expect(await apply(resultOf(successor, true))).toBe(1);
    expect(await apply(resultOf(stopped, false))).toBe(0);
    expect((await read(player)).blocks[0]).toMatchObject({ type: 'Excluded', active: true });
  });

  test('an answer is stored with few writes to the database, because derive waits for its rows meanwhile', async () => {
    const { brand, addPlayer, refresh, read } = await setupSync(pool, { started: false });
    const player = await addPlayer('ann');
    await refresh(player, ['blocks']);
    const [claim] = await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
    const writes = await writesOf(() => apply(resultOf(claim, true)));
    expect((await read(player)).blocks[0]).toMatchObject({ type: 'Excluded', active: true });
    expect(writes).toBeLessThanOrEqual(8);
  });

  test('an expired claim writes nothing even if no worker took it over', async () => {
    const { brand, addPlayer, refresh, read } = await setupSync(pool, { started: false });
    const player = await addPlayer('ann');
    await refresh(player, ['blocks']);
    const [late] = await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
    await runOut(player);
    expect(await apply(resultOf(late, true))).toBe(0);
    expect((await read(player)).sync.look_ups.blocks.state).toBe('waiting');
  });

  test('a living worker takes over the rows of a dead one', async () => {
    const { brand, worker, addPlayer, refresh, until } = await setupSync(pool, { started: false });
    const player = await addPlayer('ann');
    await refresh(player);
    const dead = await lookUpQueue.claim(
      pool,
      (['details', 'consents', 'blocks'] as const).map((look_up) => ({ ...wanted, look_up, brand_id: brand.brand_id })),
    );
    expect(dead).toHaveLength(3);
    await worker.start();
    await runOut(player);
    await until(player, isCurrent);
  });

  test('two workers share the work and make no look-up more often than requested', async () => {
    const setup = await setupSync(pool, { operator: { seed: 1 } });
    const second = makeWorker(pool, [setup.brand]);
    await second.start();
    setup.operator.dials.set('*', { delay_ms: { from: 0, to: 20 } });
    const players = await Promise.all(Array.from({ length: 40 }, (_, n) => setup.addPlayer(`p-${n}`)));
    for (let round = 0; round < 3; round++) await Promise.all(players.map((player) => setup.refresh(player)));
    for (const player of players) await setup.until(player, isCurrent);
    await second.stop();
    const calls = setup.operator.calls.list();
    const perPlayer = Map.groupBy(calls, (call) => call.path);
    expect(perPlayer.size).toBe(120);
    for (const same of perPlayer.values()) expect(same.length).toBeLessThanOrEqual(3);
  });

  test('a stopping worker releases what it could not finish', async () => {
    const setup = await setupSync(pool, { settings: { call_timeout_ms: 60_000 }, stopGraceMs: 50 });
    setup.operator.dials.set('userblocks', { faults: [{ fault: 'timeout' }] });
    const player = await setup.addPlayer('ann');
    const asked = setup.operator.calls.next((call) => call.endpoint === 'userblocks');
    await setup.refresh(player, ['blocks']);
    await asked;
    await setup.worker.stop();
    const { rows } = await pool.query('select claim, due_at <= now() as due from player_sync where player_id = $1', [
      player,
    ]);
    expect(rows).toEqual([{ claim: null, due: true }]);
  });

  test('an answer that the database refuses fails without affecting others', async () => {
    const { brand, addPlayer, refresh, read } = await setupSync(pool, { started: false });
    const [good, bad] = [await addPlayer('good'), await addPlayer('bad')];
    await refresh(good, ['blocks']);
    await refresh(bad, ['blocks']);
    const claims = await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
    const results = claims.map((claim) => {
      const result = resultOf(claim, true);
      if (claim.player_id === bad && 'found' in result.outcome && result.outcome.found.look_up === 'blocks') {
        for (const block of result.outcome.found.record.blocks) block.note = 'NUL \u0000';
      }
      return result;
    });
    const writer = new ResultWriter({ pool, log: testLog });
    await Promise.all(results.map((result) => writer.write(result)));
    expect((await read(good)).sync.look_ups.blocks.state).toBe('current');
    expect((await read(bad)).sync.look_ups.blocks).toMatchObject({
      state: 'retrying',
      last_error: { reason: 'unstorable' },
    });
  });

  test('a failure is settled without its detail if the database refuses it', async () => {
    const { brand, addPlayer, refresh, read } = await setupSync(pool, { started: false });
    const player = await addPlayer('ann');
    await refresh(player, ['blocks']);
    const [claim] = await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
    if (claim === undefined) throw new Error('nothing was claimed');
    const next = { tries: 1, delay_ms: 60_000, parked: false, to_background: false };
    const failed_at = Date.now() * 1000;
    const writer = new ResultWriter({ pool, log: testLog });
    await writer.write({ claim, outcome: { failure: 'timeout', detail: 'half a \ud83d', failed_at, ...next } });
    expect((await read(player)).sync.look_ups.blocks).toMatchObject({
      state: 'retrying',
      attempts: 1,
      last_error: { reason: 'timeout', detail: 'the database refused the values' },
    });
  });
});

test('once the records of a player are as new as the last update, `onRenewed` gets the player, in the transaction of the answer', async () => {
  const { brand, addPlayer, refresh, read } = await setupSync(pool, { started: false });
  const [ann, bob, cid] = [await addPlayer('ann'), await addPlayer('bob'), await addPlayer('cid')];
  const update = async (player_id: number) => {
    await refresh(player_id, ['blocks']);
    await transaction(pool, (tx) => noteNews(tx, [{ player_id, look_up: 'blocks', received_at: null }]));
  };
  await update(ann);
  await update(bob);
  await refresh(cid, ['blocks']);
  const renewed: number[] = [];
  const writer = new ResultWriter({
    pool,
    log: testLog,
    async onRenewed(tx, players) {
      renewed.push(...players);
      const { rows } = await tx.query('select from player_sync where player_id = any($1) and news > done', [players]);
      expect(rows).toEqual([]);
    },
  });
  const claim = () => lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
  const claims = await claim();
  // Bob was updated again after his look-up began.
  await update(bob);
  await Promise.all(claims.map((one) => writer.write(resultOf(one, true))));
  expect(renewed).toEqual([ann]);
  expect((await read(cid)).sync.look_ups.blocks.state).toBe('current');
  await Promise.all((await claim()).map((one) => writer.write(resultOf(one, true))));
  expect(renewed).toEqual([ann, bob]);
});

test('a long derive transaction delays only the players in it', async () => {
  const { brand, addPlayer, refresh, read } = await setupSync(pool, { started: false });
  const [ann, bob] = [await addPlayer('ann'), await addPlayer('bob')];
  await refresh(ann, ['blocks']);
  await refresh(bob, ['blocks']);
  const claims = await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }]);
  const results = new Map(claims.map((claim) => [claim.player_id, resultOf(claim, true)]));
  const stateOf = async (player: number) => (await read(player)).sync.look_ups.blocks;
  const writer = new ResultWriter({ pool, log: testLog });
  let annIsWritten: Promise<void> | undefined;
  await transaction(pool, async (derive) => {
    const request = {
      player_id: ann,
      brand_id: brand.brand_id,
      look_up: 'blocks',
      lane: lanes.live,
    } as const;
    await requestLookUps(derive, [request]);
    annIsWritten = writer.write(results.get(ann) as LookUpResult);
    await writer.write(results.get(bob) as LookUpResult);
    expect(await stateOf(bob)).toMatchObject({ state: 'current' });
    expect(await stateOf(ann)).toMatchObject({ state: 'waiting', as_of: null });
  });
  await annIsWritten;
  // It was written in the end, and is due again for the request made in the meantime.
  expect(await stateOf(ann)).toMatchObject({ state: 'refreshing', as_of: expect.any(Number) });
  expect(await lookUpQueue.claim(pool, [{ ...wanted, brand_id: brand.brand_id }])).toMatchObject([{ player_id: ann }]);
});

describe('clock steps of the database', () => {
  test('after a step back, waiting rows move by the same time; at the start, rows whose wait exceeds the longest possible one become due', async () => {
    const { brand } = await setupSync(pool, { started: false });
    await pool.query('delete from player_sync');
    await pool.query(
      `insert into player_sync (player_id, look_up, brand_id, lane, due_at)
       values (1, 'details', $1, 1, now() + interval '3 days'), (2, 'details', $1, 1, now() + interval '5 minutes')`,
      [brand.brand_id],
    );
    const waits = async () => {
      const { rows } = await pool.query<{ minutes: number }>(
        `select round(extract(epoch from due_at - now()) / 60)::int as minutes from player_sync order by player_id`,
      );
      return rows.map((row) => row.minutes);
    };
    let steps = 0;
    const watch = new ClockWatch({ pool, log: testLog, monotonic: () => performance.now() + steps });
    expect(await watch.runOnce()).toEqual({ moved: 1 });
    expect(await waits()).toEqual([0, 5]);
    expect(await watch.runOnce()).toEqual({ moved: 0 });
    steps = 4 * 60_000;
    expect(await watch.runOnce()).toEqual({ moved: 1 });
    expect(await waits()).toEqual([0, 1]);
  });
});
