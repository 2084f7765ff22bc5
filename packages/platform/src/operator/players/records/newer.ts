import type { BlockRow, ConsentRow } from './rows.ts';

type Dated = Pick<BlockRow | ConsentRow, 'source' | 'unconfirmed' | 'as_of'>;

/**
 * Whether the stored value was established after the answer was requested. If so, the answer may tighten protection but not
 * loosen it.
 *
 * This is the second safeguard after claims. A change that tightens (a list of a reconciliation) takes over the claims of open
 * look-ups, so their answers are not written at all. The rows of a list carry the time of its result, which by our clock is
 * never later than the request for the list. So the look-up that decides about a row of the list is newer than the row.
 *
 * The check does not apply to rows that look-ups wrote: of two look-ups the later claim wins, and a clock that was set back
 * must not prevent it. Nor does it apply to changes of the platform that are being written: own-changes.ts decides about those by the
 * counter of requests.
 */
export function isNewerThan(stored: Dated, answer: Pick<Dated, 'as_of'>): boolean {
  return stored.source !== 'look_up' && !stored.unconfirmed && stored.as_of > answer.as_of;
}
