import type { Books } from '@croupier/sandbox';
import type { Pool } from 'pg';
import type { Console } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { loginOf } from '../load/login.ts';
import type { Traffic } from '../load/traffic.ts';
import { type Outcome, outcome } from '../outcome.ts';
import { readProgress } from './evidence.ts';
import type { ShownPlayer } from './read-console.ts';

/** How long the rest of a backlog may take once everything works again. */
const drainLimitMs = 60_000;
/** Number of new events that are followed through the platform, one after the other. */
const probes = 5;
/**
 * The normal limit of the time from an event to the refreshed profile, with an operator that answers immediately. The requirement is a
 * p99 under 1 s.
 */
const normalMs = 1_000;
/** How long a slower probe is followed, so that its time can be reported. */
const probeLimitMs = 30_000;

export interface Healed {
  pool: Pool;
  console: Console;
  traffic: Traffic;
  /** The operator's records, to which the new players are added. */
  books: Books;
  /** The factor for the normal limit (scenario.ts). */
  allowance: number;
}

/**
 * P11: after recovery, the backlog is processed, and a new event completes within the normal limit. An event is complete when the
 * console API shows the login, and the profile that was requested from the operator because of it. The median of some probes is
 * checked, because the machine may be busy with something else for a moment.
 */
export async function judgeRecovery({ pool, console, traffic, books, allowance }: Healed): Promise<Outcome> {
  const broken: string[] = [];
  const healedAt = performance.now();
  let left = 0;
  await until(
    'the backlog to drain',
    async () => {
      const { stored, derived } = await readProgress(pool);
      left = stored - derived;
      return left === 0;
    },
    { limitMs: drainLimitMs, everyMs: 100 },
  ).catch(() => broken.push(`${left} events are not derived ${drainLimitMs / 1000} s after the last fault ended`));
  const drainMs = Math.round(performance.now() - healedAt);

  const times: number[] = [];
  for (let probe = 1; probe <= probes; probe++) {
    const userId = `probe-${probe}`;
    books.addPlayer(userId);
    const sentAt = performance.now();
    await traffic.publish(loginOf(userId));
    await until(
      'a new event to complete',
      async () => {
        const player = await console.get<ShownPlayer>(`players/${userId}`);
        return player?.traits.login_count?.value === 1 && player.profile !== null;
      },
      { limitMs: probeLimitMs },
    ).catch((error: Error) => broken.push(`${userId}: ${error.message}`));
    times.push(Math.round(performance.now() - sentAt));
  }
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  if (median > normalMs * allowance) broken.push(`a new event took ${median} ms to complete (median of ${probes})`);
  const counts = { drain_ms: drainMs, new_event_ms: median, slowest_new_event_ms: times.at(-1) ?? 0 };
  return outcome('P11', 'the backlog drains, and a new event completes within the normal limit', counts, broken);
}
