import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/*
 * All chores of the platform, and what they would do with a wrong clock. A process with a wrong clock must not run a chore
 * that drops, seals, packs, starts something or stores the time. A new chore fails the first test until it is listed here.
 */
const src = path.join(import.meta.dirname, '..');

/** Chores that the guard holds while the clock of the process is wrong: file, class, and what a wrong clock would do. */
const guarded: readonly (readonly [file: string, service: string, harm: string])[] = [
  ['actions/funds/funds-publisher.ts', 'FundsPublisher', 'appends events received at a wrong time'],
  ['actions/resolution/resolver.ts', 'Resolver', 'stores wrong times of intents'],
  ['bulk/runner.ts', 'BulkRunner', 'sends at a wrong pace, and makes offers at wrong times'],
  ['campaigns/halt/sweep.ts', 'CampaignSweep', 'stores a wrong time for the withdrawal of contacts'],
  ['campaigns/halt/watch.ts', 'CampaignWatch', 'counts the wrong day, and halts campaigns'],
  ['campaigns/upkeep.ts', 'CampaignUpkeep', 'forgets goals that still count'],
  ['campaigns/runs/lane.ts', 'CampaignLane', 'moves runs at wrong times'],
  ['campaigns/starts/starter.ts', 'CampaignStarter', 'starts campaigns at wrong times'],
  ['channels/notifications/keeper.ts', 'NotificationKeeper', 'expires and removes messages'],
  ['channels/push/key-upkeep.ts', 'PushKeyUpkeep', 'drops push keys'],
  ['channels/signals/signal-upkeep.ts', 'SignalUpkeep', 'drops signals'],
  ['derive/history/upkeep.ts', 'HistoryUpkeep', 'packs, seals and drops days, and prunes facts'],
  ['derive/rebuild/runner.ts', 'RebuildRunner', 'starts rebuilds, and swaps live state'],
  ['derive/upkeep.ts', 'DeriveUpkeep', 'drops the journal, hours and minutes'],
  ['console/audit/sealer.ts', 'AuditSealer', 'seals the staff audit with a wrong time'],
  ['gate/chain/sealer.ts', 'Sealer', 'seals decisions with a wrong time'],
  ['gate/records/hold-upkeep.ts', 'HoldUpkeep', 'drops holds'],
  ['ingest/quarantine-upkeep.ts', 'QuarantineUpkeep', 'drops quarantined bodies'],
  ['ingest/refused-calls.ts', 'RefusedCalls', 'stores wrong times of refused calls'],
  ['ledger/upkeep.ts', 'LedgerUpkeep', 'creates partitions for wrong years'],
  ['operator/calling/health/endpoint-health.ts', 'OperatorHealth', 'drops counts of calls'],
  ['operator/protection/transition-follower.ts', 'TransitionFollower', 'withdraws contacts, and stores a wrong time'],
  ['operator/reconciliation/reconciler.ts', 'Reconciler', 'starts reconciliations, and drops held ones and drift'],
  ['operator/resync/resynchronizer.ts', 'Resynchronizer', 'starts look-ups of whole brands'],
  ['privacy/eraser.ts', 'Eraser', 'erases too early, and empties the list of erased players'],
  ['replies/report-publisher.ts', 'ReportPublisher', 'appends events received at a wrong time'],
  ['replies/report-upkeep.ts', 'ReportUpkeep', 'forgets reports, so that repeats count again'],
  ['scenarios/backtest/runner.ts', 'BacktestRunner', 'stores a wrong end of backtests'],
  ['segments/membership/live/lane.ts', 'SegmentLane', 'moves players in and out at wrong times'],
  ['segments/membership/settle/computer.ts', 'SegmentComputer', 'computes segments for a wrong time'],
  ['segments/membership/settle/nightly.ts', 'NightlyRecomputations', 'starts recomputations of segments'],
  ['segments/membership/settle/sweeper.ts', 'DueSweeper', 'moves players in and out at wrong times'],
  ['site/player/tracked-upkeep.ts', 'TrackedUpkeep', 'forgets tracked events, so that repeats count again'],
  ['site/session/session-upkeep.ts', 'SessionUpkeep', 'forgets ended sessions, which become valid again'],
];

/** These chores run on the engine for outgoing calls, whose rounds use the guard that the runner gets. */
const onEngine: typeof guarded = [
  ['actions/intents/runner.ts', 'IntentRunner', 'starts credits based on outdated facts that appear current'],
  ['channels/calls/sender.ts', 'CallSender', 'starts SMS and webhooks, and drops ended ones'],
  ['channels/email/sender.ts', 'EmailSender', 'starts e-mails, and drops ended ones'],
  ['channels/push/sender.ts', 'PushSender', 'starts pushes, and drops ended ones'],
  ['operator/players/sync/scheduler.ts', 'LookUpScheduler', 'starts look-ups, and stores answers with a wrong time'],
  ['operator/writeback/record-writer.ts', 'RecordWriter', 'starts writes, and stores wrong times'],
];

const engine = 'outgoing/runner.ts';

const harmless: readonly (readonly [file: string, why: string])[] = [
  ['chores/database-clock.ts', 'it is the guard'],
  ['chores/feed-watch.ts', 'measures durations by a clock that never steps'],
  ['console/live/table-changes.ts', 'reads counters of tables; uses no time'],
  ['ingest/late-events.ts', 'reads who was erased, and adds counts; uses no time'],
  ['buckets/leases.ts', 'checks the guard itself, because it must give its buckets back'],
  [
    'operator/players/sync/clock-watch.ts',
    "compares the database's clock with one that never steps; does not use the process's clock",
  ],
];

/** Timers that are not chores. */
const timers: readonly (readonly [file: string, why: string])[] = [
  ['chores/feed-watch.ts', 'observes the event loop by a clock that never steps'],
  ['derive/rebuild/watch.ts', 'runs as long as one rebuild, and stores its progress'],
  ['http/http-service.ts', 'closes idle connections while the server stops'],
  ['operator/reconciliation/run/reading.ts', 'runs as long as one reading, and renews its claim'],
  ['privacy/claim.ts', 'runs as long as one step of an erasure, and renews its claim'],
  ['site/live/live-sockets.ts', "checks this process's own sockets by a clock that never steps"],
];

const sources = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
const read = (file: string) => readFileSync(path.join(src, file), 'utf8');
const filesWith = (text: string) => sources.filter((file) => read(file).includes(text)).toSorted();
const files = (...lists: (readonly (readonly [string, ...string[]])[])[]) =>
  lists
    .flat()
    .map(([file]) => file)
    .toSorted();

test('every chore runs on Rounds, and is listed with the effect of a wrong clock', () => {
  expect(filesWith('new Rounds')).toEqual([...files(guarded, harmless), engine].toSorted());
  const runners = filesWith("outgoing/index.ts'").filter((file) => /\b(?:extends|new) Runner\b/.test(read(file)));
  expect(runners).toEqual(files(onEngine));
});

test('no other timer repeats, except those listed with a reason', () => {
  expect(filesWith('setInterval(')).toEqual(files(timers));
});

describe('guarded', () => {
  test.each([...guarded.map(([file]) => file), engine])('%s', (file) => {
    expect(read(file)).toMatch(/new Rounds[^;]*\bguard\b/);
  });

  test.each(onEngine)('%s gives its guard to the engine', (file) => {
    expect(read(file)).toMatch(/\bguard\b/);
  });

  test.each([...guarded, ...onEngine])('%s: the wiring gives %s its guard', (_file, service) => {
    const created = callsOf(read('wiring/worker.ts') + read('wiring/api.ts'), `new ${service}(`);
    expect(created.length).toBeGreaterThan(0);
    for (const call of created) expect(call).toMatch(/\bguard\b|\.\.\.chore\b|follower: 'site'/);
  });
});

test.each(harmless)('%s is harmless: %s', (file) => {
  expect(read(file)).not.toMatch(/new Rounds\({[^;]*\bguard\b/);
});

/** Returns the text between the parentheses of each call that begins with `start`. */
function callsOf(text: string, start: string): string[] {
  return text
    .split(start)
    .slice(1)
    .map((rest) => {
      let depth = 1;
      let end = 0;
      for (; depth > 0; end++) depth += rest[end] === '(' ? 1 : rest[end] === ')' ? -1 : 0;
      return rest.slice(0, end);
    });
}
