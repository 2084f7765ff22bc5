import type { Rule } from '@croupier/rules';
import { createSimulation, type Message } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { noteReplacedOrRemoved, SegmentConsumer } from '../../packages/platform/src/segments/membership/index.ts';
import { segmentsOn } from '../../packages/platform/testing/segments/segments-on.ts';
import { readEvents } from '../checker/evidence.ts';
import { comparePlayers, type Judged } from '../checker/player-truth.ts';
import { readFromDerive } from '../checker/read-derive.ts';
import { judgeSegments } from '../checker/segments.ts';
import { type Core, startCore } from '../installation/core.ts';
import { segmentRules } from '../load/segment-life.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { quirks } from '../scenarios/truth.ts';
import { type Delivery, deliver } from './delivery.ts';
import { judgeRollUps } from './roll-ups.ts';

/*
 * A million events of every kind, in days that pass as fast as the machine allows. Each batch is appended to the ledger and
 * derived, and the segments of the fault runs follow it. At each midnight, the worker runs its chores, so that days are packed,
 * sealed and dropped while events continue.
 *
 *   deliver --> append --> derive --> segments --> midnight --+--> ...       until all is delivered
 *                                                             +--> upkeep, during the deliveries of the day that begins
 *                                                             +--> the first day that would be dropped: rebuild, difference zero
 *   at the end: upkeep, every player and fact against the truth, roll-ups, every membership against its recomputation,
 *   rebuild, difference zero
 *
 * The clock is held, and moves with the deliveries. The timing of upkeep relative to derive may differ between runs; the
 * outcome must not.
 */
export interface MillionOptions {
  seed: string;
  /** Messages of the casino, before duplicates. */
  events: number;
  /** Simulated days, from which the number of players follows. */
  days: number;
  say(line: string): void;
}

export interface MillionResult {
  outcomes: Outcome[];
  /** Messages delivered, by kind. */
  kinds: Record<string, number>;
  /** All differences from the truth, with both sides. */
  differences: Judged['differences'];
  /** Seconds by activity; `history` runs in parallel to the others. */
  seconds: Record<string, number>;
  /** Events derived per second of deriving. */
  derived_per_second: number;
}

const day = 86_400_000_000;
/** Events of a simulated player per day. */
const eventsOfPlayer = 92;
/** Days of the ledger. The longest delay of a first delivery is 66 hours. */
const historyDays = 3;
const batches = { perDay: 8, largest: 5_000 };
/** Events that are older than this change membership silently. */
const triggerAge = 30 * 60_000_000;
/** Minimum number of transitions by the clock alone in a valid run of any length. */
const leastTimes = 20;
const settings = {
  base_currency: 'EUR',
  time_zone: 'Europe/Malta',
  zoneless_timestamps: 'UTC',
  history_days: historyDays,
};

/** @param pool a migrated database without events, at `databaseUrl`. */
export async function playMillion(pool: Pool, databaseUrl: string, options: MillionOptions): Promise<MillionResult> {
  const { seed, events, days, say } = options;
  const start = Date.UTC(2026, 2, 2) * 1000;
  let now = start;
  const clock = () => now;
  const news = new SegmentConsumer({ wake: () => {}, triggerAge: () => triggerAge });
  const core = await startCore(pool, databaseUrl, settings, {
    clock,
    consumers: [news],
    onRemoved: (tx, players) => noteReplacedOrRemoved(tx, players, now),
  });
  const segments = segmentsOn({ ...core, pool, clock });
  const simulation = createSimulation({
    seed,
    quirks,
    start,
    brand: { ...settings, brand_id: core.brand.brand_id },
    players: Math.max(3, Math.round(events / days / eventsOfPlayer)),
  });
  const watch = stopwatch();
  const kinds: Record<string, number> = {};
  const outcomes: Outcome[] = [];
  const history = { packed: 0, sealed: 0, dropped: 0, held: 0, pruned: 0 };
  let derived = 0;
  const batch = Math.min(batches.largest, Math.ceil(events / days / batches.perDay));

  let chores = Promise.resolve();
  const upkeep = async () => {
    const round = await watch.during('history', core.upkeep());
    for (const name of Object.keys(history) as (keyof typeof history)[]) history[name] += round[name];
  };

  try {
    for (const [code, rule] of Object.entries(segmentRules)) await segments.segment(code, rule as Rule);
    const deliveries = deliver(simulation, { seed, events, batch });
    for (;;) {
      const delivery = watch.of('simulate', () => deliveries.next());
      if (delivery.done === true) break;
      const { at, messages }: Delivery = delivery.value;
      if (dayOf(at) > dayOf(now)) {
        // The previous day is over and its batches are derived, so it may be packed now.
        await chores;
        now = at - (at % day);
        if (dayOf(at) === dayOf(start) + historyDays) {
          outcomes.push(await watch.during('rebuild', judgeRebuild(core, 'before a day is dropped')));
        }
        chores = upkeep();
        // It is awaited at the next midnight; until then a failure is ignored.
        chores.catch(() => {});
        say(`${new Date(now / 1000).toISOString().slice(0, 10)}: ${derived} events, ${JSON.stringify(history)}`);
      }
      now = at;
      count(kinds, messages);
      await watch.during('append', core.append(messages));
      derived += await watch.during('derive', core.derive());
      await watch.during('segments', segments.follow());
    }
    await chores;
    await upkeep();
    const oldest = now - historyDays * day;
    const brand = { brand_id: core.brand.brand_id, time_zone: settings.time_zone };
    const { counts, differences } = await watch.during(
      'compare',
      comparePlayers(simulation.truth, readFromDerive(pool, brand), (list, fact) => {
        return list === 'rounds' && Number(fact.last_at) < oldest;
      }),
    );
    const told = differences.map(({ user_id, what }) => `${user_id}: ${what}`);
    outcomes.push(
      outcome('P1 to P3', 'facts and totals equal the truth, for every player', counts, told),
      outcome(
        'P1',
        'every message is derived',
        { ...history, derived, messages: total(kinds) },
        missing(derived, kinds),
      ),
      await judgeRollUps(pool),
      ...(await watch.during('compare', judgeMembership(pool, core, now))),
      await watch.during('rebuild', judgeRebuild(core, 'after days were dropped')),
    );
    const seconds = watch.seconds();
    return { outcomes, kinds, differences, seconds, derived_per_second: Math.round(derived / (seconds.derive ?? 1)) };
  } finally {
    simulation.close();
    await chores.catch(() => {});
    await core.stop();
  }
}

/** Causes are compared with the events that the ledger still contains. */
function judgeMembership(pool: Pool, core: Core, now: number): Promise<Outcome[]> {
  const brandId = core.brand.brand_id;
  return judgeSegments({
    pool,
    brandId,
    events: () => readEvents(pool, brandId),
    eventsSince: now - historyDays * day,
    leastTimes,
    signal: undefined,
    clock: () => now,
  });
}

async function judgeRebuild(core: Core, when: string): Promise<Outcome> {
  const { events, players, difference_count, differences, failures } = await core.rebuild();
  const broken = [...differences, ...failures].map((one) => JSON.stringify(one));
  const counts = { events, players, differ: difference_count };
  return outcome('P4', `incremental state = rebuilt state, ${when}`, counts, broken);
}

function count(kinds: Record<string, number>, messages: readonly Message[]): void {
  for (const { kind } of messages) kinds[kind] = (kinds[kind] ?? 0) + 1;
}

function total(kinds: Readonly<Record<string, number>>): number {
  return Object.values(kinds).reduce((sum, one) => sum + one, 0);
}

function missing(derived: number, kinds: Readonly<Record<string, number>>): string[] {
  return derived === total(kinds) ? [] : [`${total(kinds)} messages were delivered and ${derived} derived`];
}

function dayOf(at: number): number {
  return Math.floor(at / day);
}

function stopwatch() {
  const spent = new Map<string, number>();
  const add = (what: string, since: number) => {
    spent.set(what, (spent.get(what) ?? 0) + (performance.now() - since) / 1000);
  };
  return {
    of<T>(what: string, work: () => T): T {
      const since = performance.now();
      const result = work();
      add(what, since);
      return result;
    },
    async during<T>(what: string, work: Promise<T>): Promise<T> {
      const since = performance.now();
      const result = await work;
      add(what, since);
      return result;
    },
    seconds: () => Object.fromEntries([...spent].map(([what, seconds]) => [what, Math.round(seconds * 10) / 10])),
  };
}
