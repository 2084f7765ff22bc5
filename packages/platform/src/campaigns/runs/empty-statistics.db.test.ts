import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { openPool, timestamptzText, transaction } from '../../database/index.ts';
import { readWatches } from './goal-watches.ts';
import * as store from './store.ts';

/*
 * On a new installation, PostgreSQL analyzes campaign_run while it is empty, and workers keep the plans that they made then. Such a plan must
 * still read a few runs when there are many. Otherwise, a round with 20 events for 20 campaigns
 * takes 20 s beside 200,000 runs, and not 40 ms.
 */
const setup = await setupCampaigns();
const { clock, brand, url } = setup;
const player = await setup.reader('ann');
const other = await setup.reader('bob');
const buckets = { buckets: Array.from({ length: 64 }, (_, n) => n) };
const large = 1;
const small = 2;
const moved: store.MovedRun = {
  run_id: 1,
  player_id: player,
  version_id: small,
  state: 'done',
  reason: null,
  position: { step: null, wait: null, variants: {}, hadEffect: true },
  due_at: null,
  goal_until: null,
  moved_at: clock.now(),
};

const statements: [string, (tx: PoolClient) => Promise<unknown>][] = [
  ['due runs', (tx) => store.lockDueRuns(tx, buckets, clock.now(), 10)],
  ['runs that have not begun', (tx) => store.lockUnbegunRuns(tx, buckets, 10)],
  ['paused runs', (tx) => store.lockPausedRuns(tx, [large, small], buckets, 10)],
  ['moving runs', (tx) => store.lockMovingRuns(tx, [{ campaign_id: small, moves_from: [small] }], buckets, 10)],
  ['runs of stopped campaigns', (tx) => store.lockRunsOf(tx, [small], buckets, 10)],
  ['open runs of players', (tx) => store.lockOpenRuns(tx, [player])],
  ['watches of players', (tx) => readWatches(tx, [player])],
  ['watching runs', (tx) => store.lockWatchingRuns(tx, [player])],
  ['earlier runs', (tx) => store.readEarlierRuns(tx, [player], [large, small])],
  [
    'started causes',
    (tx) => store.readStartedCauses(tx, [{ player_id: player, campaign_id: large, cause_key: 'cause 1' }]),
  ],
  ['held runs', (tx) => store.readHeldRuns(tx, [player])],
  ['runs that moved', (tx) => store.writeMoved(tx, [moved])],
  ['whether runs are open', (tx) => store.hasOpenRuns(tx, small)],
];

test('plans that were made while the table was empty read few runs when there are many', async () => {
  const worker = openPool(url, { name: 'test worker', max: 1, byKey: true });
  const read = await transaction(worker, async (tx) => {
    await tx.query('set local search_path = live, public');
    await tx.query('analyze campaign_run');
    // Statements without a name are prepared at their fifth use.
    for (let use = 0; use < 6; use++) for (const [, run] of statements) await run(tx);
    // Most runs wait. Some runs of the large campaign are due. The small campaign has one run, which is due last.
    const insert = (of: {
      player_id: number;
      campaign: number;
      from: number;
      runs: number;
      state: string;
      due: number;
    }) =>
      tx.query(
        `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, due_at, goal_until, entered_at, moved_at)
         select $1, $2, $3, $3, 'cause ' || n, '{}', $6, '{}', $7, case $6 when 'done' then now() end, now(), now()
           from generate_series($4::int, $4::int + $5::int - 1) n`,
        [
          of.player_id,
          brand.brand_id,
          of.campaign,
          of.from,
          of.runs,
          of.state,
          of.state === 'done' ? null : timestamptzText(clock.now() + of.due),
        ],
      );
    const hour = 3_600_000_000;
    await insert({ player_id: other, campaign: large, from: 1, runs: 2_000, state: 'waiting', due: -2 * hour });
    await insert({ player_id: other, campaign: large, from: 3_001, runs: 2_000, state: 'waiting', due: hour });
    await insert({ player_id: other, campaign: large, from: 6_001, runs: 2_000, state: 'done', due: 0 });
    await insert({ player_id: player, campaign: small, from: 1, runs: 1, state: 'waiting', due: -hour });
    const entriesRead = async () => {
      const { rows } = await tx.query(
        `select sum(pg_stat_get_xact_tuples_returned(indexrelid)) as n from pg_index where indrelid = 'campaign_run'::regclass`,
      );
      return Number(rows[0]?.n);
    };
    const counts: Record<string, number> = {};
    for (const [name, run] of statements) {
      const before = await entriesRead();
      await run(tx);
      counts[name] = (await entriesRead()) - before;
    }
    return counts;
  });
  await worker.end();
  const many = Object.entries(read).filter(([, rows]) => rows > 100);
  expect(many).toEqual([]);
});
