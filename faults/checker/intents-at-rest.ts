import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { ShownIntent } from './bonuses.ts';
import { readProgress } from './evidence.ts';

/*
 * When two of a player's intents are in doubt and one bonus fits both, the bonus credits the older one, though it may have come from the
 * younger. If a repeated call then credits the younger, the match of the older is withdrawn in the next look, which the answer's
 * transaction asks for. Between the two, both are called credited and the operator credited one. A list that shows that moment
 * breaks no promise, so the checker must not read it.
 */

export interface IntentReader {
  /** All events are derived, and no look at intents is asked for. */
  isAtRest(): Promise<boolean>;
  /** Page by page: intents may move between two pages. */
  list(): Promise<ShownIntent[]>;
}

/**
 * All intents as they were at one moment of rest; undefined when there was none.
 *
 * The moment lies between two equal lists. So an intent that moved before it is in the first list as it is then, and one that moves after it
 * makes no difference. A moment before or after both lists would not do: an answer may come and its withdrawal be due while both are read.
 */
export async function intentsAtRest({ isAtRest, list }: IntentReader): Promise<ShownIntent[] | undefined> {
  // Spares the list where there is no rest anyway.
  if (!(await isAtRest())) return undefined;
  const intents = await list();
  if (!(await isAtRest())) return undefined;
  return isDeepStrictEqual(await list(), intents) ? intents : undefined;
}

/** @param pool read only */
export async function areIntentsAtRest(pool: Pool): Promise<boolean> {
  // In this order: what derive asks for, it asks for in the transaction that derives.
  const { stored, derived } = await readProgress(pool);
  const { rowCount } = await pool.query('select from bonus_resolution_request limit 1');
  return stored === derived && rowCount === 0;
}
