import type { ClientBase } from 'pg';

/** A statement that takes longer is cancelled. The rule that it computes is then considered too expensive. */
const statementTimeoutMs = 120_000;

/**
 * Planner settings for statements about some 10,000 players. The pool's own settings are for look-ups by key: with them
 * a portion of a rule that sums payments took 9 s. With these settings it takes 0.2 s, because the planner sees how
 * many players there are and may use hash or merge joins. There are no parallel workers, because they would take cores
 * from the feed.
 */
export function planForMany(tx: ClientBase): Promise<unknown> {
  return tx.query(
    `set local search_path = live, public; set local statement_timeout = ${statementTimeoutMs};
     set local max_parallel_workers_per_gather = 0; set local plan_cache_mode = force_custom_plan; set local jit = off;
     set local enable_seqscan = on; set local enable_hashjoin = on; set local enable_mergejoin = on;`,
  );
}
