import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/*
 * How old facts are removed beside live batches, without either waiting for the other.
 *
 * A batch loads a fact without a lock, so a step that removes facts could take it away before the batch has noted that it met it,
 * and the batch would write it back: to the live tables, not to the baseline. Making all batches wait for each step would cost every
 * one of them, so only the few that have met a fact old enough to be removed look, at their end:
 *
 *   a step is under way                        the batch is given up, and done again: it then finds the fact, or finds it gone
 *   one was committed since the batch began    the same
 *   neither                                    no step begins before the batch is committed; the next one reads its note
 *
 * The transaction's snapshot at its beginning (`rememberBeginning`) tells whether a step was committed since.
 */

/** Held alone by each step; shared by whoever needs that no fact goes meanwhile: such a batch, a rebuild, an import. */
export const removalLock = 0x70_72_75;

/** To be selected at the beginning of a transaction that applies events: costs no statement of its own. */
export const rememberBeginning = `set_config('croupier.beginning', pg_current_snapshot()::text, true)`;

export class FactsWereRemoved extends Error {
  override name = 'FactsWereRemoved';
  /** A serialization failure, and treated like one: nothing is wrong with the events, and trying again helps. */
  readonly code = '40001';
  constructor() {
    super('old facts that the batch has met were removed meanwhile; it is done again');
  }
}

/**
 * Keeps what a batch has met from being removed before its transaction ends.
 *
 * @param oldestAt the oldest moment that it has met; facts from the horizon on are never removed, and cost nothing more
 * @throws {FactsWereRemoved}
 */
export async function keepWhatWasMet(tx: ClientBase, oldestAt: Micros): Promise<void> {
  const { rowCount: removable } = await tx.query('select from pruned_fact where pruned_to > $1 limit 1', [
    timestamptzText(oldestAt),
  ]);
  if (removable === 0) return;
  // Never waited for: the step may be waiting for a row of this batch.
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
