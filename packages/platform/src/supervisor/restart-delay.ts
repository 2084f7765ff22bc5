/*
 * How long to wait before a crashed process is restarted. The first delay is almost zero, because most crashes happen once,
 * and until the restart a worker's buckets or half the api capacity are missing. Later delays are longer, so that a process
 * that can never start does not use up a core.
 *
 * A delay is never longer than 5 s. A process cannot start while the database is unavailable. After the database has
 * recovered, an operator's events are refused until the next try. With delays of up to 30 s, events were refused for half a
 * minute longer than the two minutes of a database outage. A try costs 1 s of a core, so one failed try every 6 s uses a
 * sixth of the core.
 */
const delaysMs = [100, 500, 1_000, 2_000, 5_000] as const;

/** A process that ran this long before its crash counts as healthy: the next delay is the shortest one. */
const healthyAfterMs = 60_000;

export interface Restart {
  delay_ms: number;
  /** Consecutive crashes, including this one. */
  crashes: number;
}

export function nextRestart(crashesBefore: number, livedMs: number): Restart {
  const crashes = livedMs >= healthyAfterMs ? 1 : crashesBefore + 1;
  return { crashes, delay_ms: delaysMs[Math.min(crashes, delaysMs.length) - 1] ?? delaysMs[0] };
}
