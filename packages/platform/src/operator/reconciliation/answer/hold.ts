/** Why a result needs a person's approval before any of it is applied (docs/reference/decisions.md 4). */
export const heldReasons = ['empty', 'shorter', 'first_withdraws', 'withdraws'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** Held if it is 20 % shorter than the last one, or more. */
const largestShareKept = 0.8;
/** For a consent list: held if it would withdraw more than this share of the players who are opted in. */
const largestShareWithdrawn = 0.2;
/** So many withdrawals never hold a later list: some of a few players may well have opted out. */
const fewWithdrawals = 10;

/** The effect of a consent list on the players who are opted in at the platform. */
export interface Withdrawals {
  opted_in: number;
  /** How many of them the list does not contain. */
  missing: number;
}

/**
 * Decides whether a list is held. If it lacks a fifth of the last one, that is far more often an operator's mistake than a
 * change of so many players. A first list has no predecessor. If it lacks a fifth of the players who are opted in, it was most
 * probably cut short. The same applies if the last list was short, too. An operator that always sends the first thousand
 * players passes on the first night, when the platform knows few players. Later, its list would withdraw the consent of nearly
 * every player.
 *
 * @param ids distinct ids of the list
 * @param before those of the field's last applied list; null if there was none. An empty list is not held after one that a
 * person approved.
 * @param withdrawals for a consent list; null for any other
 */
export function heldFor(ids: number, before: number | null, withdrawals: Withdrawals | null = null): HeldReason | null {
  if (ids === 0) return before === 0 ? null : 'empty';
  if (before !== null && ids <= before * largestShareKept) return 'shorter';
  if (withdrawals === null) return null;
  const { missing, opted_in } = withdrawals;
  if (missing <= opted_in * largestShareWithdrawn) return null;
  if (before === null) return 'first_withdraws';
  return missing > fewWithdrawals ? 'withdraws' : null;
}
