/** Why a result needs a person's approval before any of it is applied (docs/reference/decisions.md 4). */
export const heldReasons = ['empty', 'shorter', 'first_withdraws', 'withdraws'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** A list is held if it is at least 20 % shorter than the last one. */
const largestShareKept = 0.8;
/** A consent list is held if it would withdraw the consent of more than this share of the players who are opted in. */
const largestShareWithdrawn = 0.2;
/**
 * This many withdrawals, or fewer, are no reason to hold a later list. In a brand with few players, several of them may
 * well have opted out.
 */
const fewWithdrawals = 10;

/** The effect of a consent list on the players who are opted in at the platform. */
export interface Withdrawals {
  opted_in: number;
  /** How many of them the list does not contain. */
  missing: number;
}

/**
 * Decides whether a list is held. If it is a fifth shorter than the last one, an operator's mistake is far more likely than
 * a change of so many players. A first list has no predecessor, and the last list may have been cut short, too. So a consent
 * list is also compared with the players who are opted in. If it lacks more than a fifth of them, it was most probably cut
 * short. For example, an operator may always send only the first thousand players. Its list passes on the first night, when
 * the platform knows few players. Without this comparison, its later lists would withdraw the consent of nearly every
 * player.
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
