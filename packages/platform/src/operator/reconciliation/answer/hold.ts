/** Why a result waits for a person before anything of it is applied (docs/reference/decisions.md 4). */
export const heldReasons = ['empty', 'shorter', 'first_withdraws'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** 20 % shorter than the last one, or more. */
const largestShareKept = 0.8;
/** Of a list without a predecessor: it would withdraw more than so many of those who are opted in. */
const largestShareWithdrawn = 0.2;

/** What a consent list would do to the players who are opted in with us. */
export interface Withdrawals {
  opted_in: number;
  /** Those of them whom the list lacks. */
  missing: number;
}

/**
 * A list that lacks a fifth of the last one is an operator's mistake far more often than a change of so many players. So is a first
 * one, which nothing can be compared with, that lacks a fifth of those who are opted in: most probably it was cut short.
 *
 * @param ids different ids of the list.
 * @param before those of the field's last applied list; null when there was none. An empty list after one that a person let
 *   pass is no news.
 * @param withdrawals of a consent list that has no predecessor; null for any other.
 */
export function heldFor(ids: number, before: number | null, withdrawals: Withdrawals | null = null): HeldReason | null {
  if (ids === 0) return before === 0 ? null : 'empty';
  if (before !== null) return ids <= before * largestShareKept ? 'shorter' : null;
  if (withdrawals === null) return null;
  return withdrawals.missing > withdrawals.opted_in * largestShareWithdrawn ? 'first_withdraws' : null;
}
