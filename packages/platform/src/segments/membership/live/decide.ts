/*
 * How the state of one player in one version of a segment changes. Pure.
 *
 *                                               state before
 *   rule satisfied?   player protected?         member         protected        none
 *   no                -                         left           row deleted      -
 *   yes               no                        -              entered          entered
 *   yes               yes                       left           -                row stored
 *
 * The state "protected" means that the player satisfies the rule and is excluded or blocked. This player is not a member.
 * The row is kept, because it is counted, and because the player becomes a member at the end of the protection without an
 * evaluation of the rule. In a version with `include_protected`, no player counts as protected.
 */
export type MembershipState = 'member' | 'protected' | 'none';

export interface Change {
  readonly before: MembershipState;
  readonly after: MembershipState;
  /** What followers see; undefined if nothing changes for them. */
  readonly transition: 'entered' | 'left' | undefined;
}

export function stateOf(holds: boolean, isProtected: boolean): MembershipState {
  if (!holds) return 'none';
  return isProtected ? 'protected' : 'member';
}

/** @returns undefined if nothing changes */
export function changeOf(before: MembershipState, after: MembershipState): Change | undefined {
  if (before === after) return undefined;
  const transition = after === 'member' ? 'entered' : before === 'member' ? 'left' : undefined;
  return { before, after, transition };
}
