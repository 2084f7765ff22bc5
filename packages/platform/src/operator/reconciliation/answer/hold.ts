/** Why a result waits for a person before anything of it is applied (decisions.md 4). */
export const heldReasons = ['empty', 'shorter'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** 20 % shorter than the last one, or more. */
const largestShareKept = 0.8;

/**
 * A list that lacks a fifth of the last one is an operator's mistake far more often than a change of so many players.
 *
 * @param ids different ids of the list.
 * @param before those of the field's last applied list; null when there was none. An empty list after one that a person let
 *   pass is no news.
 */
export function heldFor(ids: number, before: number | null): HeldReason | null {
  if (ids === 0) return before === 0 ? null : 'empty';
  return before !== null && ids <= before * largestShareKept ? 'shorter' : null;
}
