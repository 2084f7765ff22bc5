import type { BlockRow, ConsentRow } from './rows.ts';

type Dated = Pick<BlockRow | ConsentRow, 'source' | 'unconfirmed' | 'as_of'>;

/**
 * Whether what is stored was established after the answer was asked for: then the answer may tighten it, and does not loosen it.
 *
 * The second line behind claims: whoever tightens (a list of a reconciliation) takes the claims of look-ups under way, so
 * their answers are not written at all. A list's rows carry its result's moment, which is never later than the moment we asked for
 * the list, by our clock; so the look-up that is to decide about the list is younger than they are.
 *
 * Not asked of rows that look-ups wrote: of two look-ups the later claim has the later word, and a clock that was set back must not
 * keep it out. Nor of changes of ours on their way: own-changes.ts decides about those, by the counter of requests.
 */
export function isYoungerThan(stored: Dated, answer: Pick<Dated, 'as_of'>): boolean {
  return stored.source !== 'look_up' && !stored.unconfirmed && stored.as_of > answer.as_of;
}
