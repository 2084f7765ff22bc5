import type { ClientBase } from 'pg';

/** A portion that takes longer has a rule that no portion can be computed with. */
const statementTimeoutMs = 120_000;

/**
 * For statements about some 10,000 players. The pool's own settings are for look-ups by key: with them a portion of a rule that adds up
 * payments took 9 s, and takes 0.2 s so, where the planner sees whom the statement is about and may join by hash or merge. Without parallel
 * workers, which would take the cores of the feed.
 */
export function planForMany(tx: ClientBase): Promise<unknown> {
  return tx.query(
    `set local search_path = live, public; set local statement_timeout = ${statementTimeoutMs};
     set local max_parallel_workers_per_gather = 0; set local plan_cache_mode = force_custom_plan; set local jit = off;
     set local enable_seqscan = on; set local enable_hashjoin = on; set local enable_mergejoin = on;`,
  );
}
