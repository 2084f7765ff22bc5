import type { Pool } from 'pg';
import { until } from '../../faults/installation/until.ts';
import { startChild } from '../child.ts';
import type { BenchPlatform } from '../platform.ts';
import { resultOf } from './load.ts';
import type { Order } from './process.ts';

/**
 * Maximum number of acknowledged events that are not yet derived: one to two seconds of work. The load waits when it is
 * reached.
 */
const windowEvents = 8_000;
const pollMs = 50;
/** Maximum wait for the last events, in milliseconds. Usually they need at most two seconds, see `windowEvents`. */
const finishLimitMs = 60_000;

export interface DerivedRate {
  /** Events per second that were acknowledged and derived when the measured time ended. */
  derived: number;
  longest_lag: number;
}

/**
 * Sends the simulator's full mix to a platform for this many seconds, as fast as derive processes it, so that the lag cannot
 * grow. The result counts the events that derive has committed when this time ends.
 *
 * @param seed of the mix: its players are `s<seed>-...` (events.ts)
 * @param streamed whether the mix is generated while it is sent, for runs too long to hold it in memory. The
 *   generator then uses a part of the machine, so such a rate is not a valid figure.
 */
export async function derivedRate(
  platform: BenchPlatform,
  { seconds, seed, streamed = false }: { seconds: number; seed: number; streamed?: boolean },
): Promise<DerivedRate> {
  const generator = await startChild('bench/load/process.ts');
  const order = (message: Order) => generator.process.send(message);
  const before = await derivedEvents(platform.pool);
  let allowed = before;
  let derived = before;
  let longestLag = 0;
  let startedAt = 0;
  const follow = async () => {
    derived = await derivedEvents(platform.pool);
    longestLag = Math.max(longestLag, allowed - derived);
    const more = derived + windowEvents - allowed;
    if (more > 0) {
      order({ more });
      allowed += more;
    }
  };
  const target = { port: platform.port, path: '/', method: 'POST' as const, headers: { 'x-api-key': platform.key } };
  const result = resultOf(
    generator,
    { mix: { ...target, connections: 256, seconds }, events: streamed ? null : seconds * maxPerSecond, seed },
    () => {
      startedAt = performance.now();
    },
  );
  let following: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (startedAt === 0 || following) return;
    following = follow().finally(() => {
      following = undefined;
    });
  }, pollMs);
  try {
    const load = await result;
    const elapsed = (performance.now() - startedAt) / 1_000;
    clearInterval(timer);
    await following;
    const refused = Object.entries(load.statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    const derivedInTime = (await derivedEvents(platform.pool)) - before;
    await untilDerived(platform.pool, before + (load.statuses[200] ?? 0));
    return { derived: derivedInTime / elapsed, longest_lag: longestLag };
  } finally {
    clearInterval(timer);
    await following?.catch(() => {});
    await generator.stop();
  }
}

/** Higher than any rate that derive reaches, so that the mix, which is generated before the measured time, does not run out. */
const maxPerSecond = 15_000;

/** Waits for the last events, so that a bench that copies players afterwards never copies half of an event's effects. */
async function untilDerived(pool: Pool, events: number): Promise<void> {
  const derived = async () => (await derivedEvents(pool)) >= events;
  await until('derive to finish', derived, { limitMs: finishLimitMs, everyMs: pollMs });
}

async function derivedEvents(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(
    'select coalesce(sum(events), 0)::bigint as events from feed_minute',
  );
  return rows[0]?.events ?? 0;
}
