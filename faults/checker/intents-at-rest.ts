import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { ShownIntent } from './bonuses.ts';
import { readProgress } from './evidence.ts';

/*
 * If two of a player's intents are unknown and one bonus fits both, the bonus credits the older one, though it may belong to
 * the younger. If a retried call then credits the younger, the next round over the intents, which the answer's transaction
 * requests, withdraws the match of the older. Between the two, both count as credited although the operator credited one. A
 * list read at that time breaks no promise, so the checker must not read it.
 */

export interface IntentReader {
  /** True if all events are derived and no round over the intents is requested. */
  isAtRest(): Promise<boolean>;
  /** Page by page: intents may move between two pages. */
  list(): Promise<ShownIntent[]>;
}

/**
 * All intents at one time of rest, or undefined if there was none.
 *
 * That time is between two equal lists. An intent that moved before it is in the first list in its new state, and one that
 * moves after it makes no difference. A time before or after both lists would not suffice: an answer may arrive, and its
 * withdrawal be due, while both are being read.
 */
export async function intentsAtRest({ isAtRest, list }: IntentReader): Promise<ShownIntent[] | undefined> {
  // Saves reading the list when the intents are not at rest.
  if (!(await isAtRest())) return undefined;
  const intents = await list();
  if (!(await isAtRest())) return undefined;
  return isDeepStrictEqual(await list(), intents) ? intents : undefined;
}

/** @param pool read only */
export async function areIntentsAtRest(pool: Pool): Promise<boolean> {
  // In this order: derive's requests are committed in the transaction that derives.
  const { stored, derived } = await readProgress(pool);
  const { rowCount } = await pool.query('select from bonus_resolution_request limit 1');
  return stored === derived && rowCount === 0;
}
