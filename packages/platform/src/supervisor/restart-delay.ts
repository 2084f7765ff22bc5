/*
 * How long a crashed process waits until it is started again. The first time almost nothing: most crashes are single
 * ones, and the buckets of a worker or half the api capacity wait. Then longer, so that a process that can never start
 * does not eat a core.
 *
 * Never longer than 5 s: a process cannot start while the database is away, and when that comes back every second until
 * the next try is one in which an operator's events are refused. With up to 30 s an outage of two minutes lasted half a
 * minute more than the database's own. A try costs 1 s of a core, so one in vain every 6 s takes a sixth of it.
 */
const delaysMs = [100, 500, 1_000, 2_000, 5_000] as const;

/** A process that lived so long before its crash counts as healthy: the next one starts from the shortest delay. */
const healthyAfterMs = 60_000;

export interface Restart {
  delay_ms: number;
  /** Crashes in a row, this one included. */
  crashes: number;
}

export function nextRestart(crashesBefore: number, livedMs: number): Restart {
  const crashes = livedMs >= healthyAfterMs ? 1 : crashesBefore + 1;
  return { crashes, delay_ms: delaysMs[Math.min(crashes, delaysMs.length) - 1] ?? delaysMs[0] };
}
