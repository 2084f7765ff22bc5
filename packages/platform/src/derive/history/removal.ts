import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/*
 * How old facts are removed concurrently with live batches, without either waiting for the other.
 *
 * A batch loads a fact without a lock. So a step could remove the fact before the batch has recorded that it touched
 * it, and the batch would write it back: to the live tables, but not to the baseline. If every batch waited for each
 * step, all batches would be slower. So only the few batches that touched a fact old enough to be removed check, at
 * their end, whether
 *
 *   a step is running                          the batch is rolled back and retried: it then finds the fact, or finds it removed
 *   one was committed since the batch began    the batch is rolled back and retried, too
 *   neither                                    no step begins before the batch is committed; the next one reads its record
 *
 * The transaction's snapshot at its beginning (`rememberBeginning`) shows whether a step was committed since.
 */

/**
 * Each step holds this lock exclusively. Transactions during which no fact may be removed hold it shared: a batch that touched an old fact,
 * a rebuild, an import.
 */
export const removalLock = 0x70_72_75;

/** SQL that a transaction that applies events selects at its beginning. As an expression, it needs no separate statement. */
export const rememberBeginning = `set_config('croupier.beginning', pg_current_snapshot()::text, true)`;

export class FactsWereRemoved extends Error {
  override name = 'FactsWereRemoved';
  /** The code of a serialization failure, so that this error is handled like one: the events are fine, and a retry succeeds. */
  readonly code = '40001';
  constructor() {
    super('old facts in the batch were removed in the meantime; the batch is repeated');
  }
}

/**
 * Keeps what a batch touched from being removed before its transaction ends.
 *
 * @param oldestAt the oldest moment that the batch touched; facts after the horizon are never removed, and need no
 *   check
 * @throws {FactsWereRemoved}
 */
export async function keepTouchedFacts(tx: ClientBase, oldestAt: Micros): Promise<void> {
  const { rowCount: removable } = await tx.query('select from pruned_fact where pruned_to > $1 limit 1', [
    timestamptzText(oldestAt),
  ]);
  if (removable === 0) return;
  // Does not wait for the lock, because the step may be waiting for a row of this batch.
  const { rows } = await tx.query<{ kept: boolean }>('select pg_try_advisory_xact_lock_shared($1) as kept', [
    removalLock,
  ]);
  if (!rows[0]?.kept) throw new FactsWereRemoved();
  const { rowCount: since } = await tx.query(
    `select from pruned_fact
     where not pg_visible_in_snapshot(step, current_setting('croupier.beginning')::pg_snapshot) limit 1`,
  );
  if (since !== 0) throw new FactsWereRemoved();
}
