import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { ShownIntent } from './bonuses.ts';
import { readProgress } from './evidence.ts';

/*
 * If two of a player's intents are unknown and one bonus fits both, the bonus credits the older intent, although it may belong to
 * the younger one. If a retried call then credits the younger intent, its transaction requests a round over the intents, which
 * withdraws the match of the older one. Until this round, both intents count as credited, although the operator credited only one.
 * This breaks no promise, so the checker must not read the list at such a time.
 */

export interface IntentReader {
  /** True if all events are derived and no round over the intents is requested. */
  isAtRest(): Promise<boolean>;
  /** Reads all intents, page by page. An intent may change between two pages. */
  list(): Promise<ShownIntent[]>;
}

/**
 * All intents at one time of rest, or undefined if there was none.
 *
 * The time of rest is between two equal lists. If an intent moved before it, the first list contains its new state. If an intent
 * moves after it, this makes no difference. A time before or after both lists would not be enough, because an answer may arrive
 * while the lists are read, and its withdrawal may still be due.
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
  // This order matters: derive commits its requests in the transaction that derives the events.
  const { stored, derived } = await readProgress(pool);
  const { rowCount } = await pool.query('select from bonus_resolution_request limit 1');
  return stored === derived && rowCount === 0;
}
