import { setTimeout as delay } from 'node:timers/promises';
import type { Books } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { loginOf } from './login.ts';
import type { Traffic } from './traffic.ts';

/** One event that was followed from its sending until derive had applied it. */
export interface Probe {
  /** Milliseconds of performance.now(). */
  sent_at: number;
  /** Null if the event was not derived before the probe ended. */
  latency_ms: number | null;
}

export interface ProbeOptions {
  pool: Pool;
  traffic: Traffic;
  books: Books;
  /** Events per second. Each is a login of a different player, so they are spread evenly over all buckets. */
  rate: number;
  /** The time after which no event is sent. Open events are then followed to their end, for at most `maxWaitMs`. */
  until: AbortSignal;
  maxWaitMs: number;
}

/** The interval of the database checks, and so the precision of a latency. */
const pollMs = 20;
let series = 0;

/**
 * Sends events at a steady rate and checks in the database when derive has processed them. A latency is the time from before the call until
 * the login is part of the player's totals, so it includes ingest.
 */
export async function followProbes(options: ProbeOptions): Promise<Probe[]> {
  const { pool, traffic, books, rate, until, maxWaitMs } = options;
  series += 1;
  const probes = new Map<string, Probe>();
  const waiting = new Set<string>();
  let under: Promise<unknown> = Promise.resolve();
  const first = performance.now();
  for (let deadline: number | undefined; ; ) {
    const now = performance.now();
    while (!until.aborted && probes.size < ((now - first) / 1000) * rate) {
      const userId = `followed-${series}-${probes.size + 1}`;
      books.addPlayer(userId);
      probes.set(userId, { sent_at: performance.now(), latency_ms: null });
      waiting.add(userId);
      under = Promise.all([under, traffic.publish(loginOf(userId))]);
    }
    for (const userId of await derivedOf(pool, [...waiting])) {
      const probe = probes.get(userId);
      if (probe) probe.latency_ms = performance.now() - probe.sent_at;
      waiting.delete(userId);
    }
    if (until.aborted) deadline ??= performance.now() + maxWaitMs;
    if (deadline !== undefined && (waiting.size === 0 || performance.now() > deadline)) break;
    await delay(pollMs);
  }
  await under;
  return [...probes.values()];
}

async function derivedOf(pool: Pool, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const { rows } = await pool.query<{ user_id: string }>(
    `select p.user_id from player p join live.login_total t using (player_id)
     where p.user_id = any ($1) and t.login_count > 0`,
    [userIds],
  );
  return rows.map((row) => row.user_id);
}

/** The latency that the given share of all probes does not exceed, in whole milliseconds; Infinity if they were not derived. */
export function quantileOf(probes: readonly Probe[], share: number): number {
  const sorted = probes.map(({ latency_ms }) => latency_ms ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
}
