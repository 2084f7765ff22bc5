/*
 * How the state of one player in one version changes. Pure.
 *
 *   holds, protected      before     member             protected          none
 *   no                               left               gone               -
 *   yes, not protected               -                  entered            entered
 *   yes, protected                   left               -                  counted separately
 *
 * "protected" means that the player satisfies the rule and is excluded or blocked. This player is not a member. The row
 * is kept, because it is counted, and because the player becomes a member at the end of the protection without an
 * evaluation of the rule.
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
