/*
 * What becomes of one player in one version. Pure.
 *
 *   holds, protected      before     member             protected          none
 *   no                               left               gone               -
 *   yes, not protected               -                  entered            entered
 *   yes, protected                   left               -                  counted apart
 *
 * "protected": satisfies the rule and is excluded or blocked, so no member. Such a row is kept, because it is counted, and because the end
 * of the protection makes a member without a reading of the rule.
 */
export type Standing = 'member' | 'protected' | 'none';

export interface Change {
  readonly before: Standing;
  readonly after: Standing;
  /** What followers are told; undefined: nothing that they would see. */
  readonly transition: 'entered' | 'left' | undefined;
}

export function standingOf(holds: boolean, isProtected: boolean): Standing {
  if (!holds) return 'none';
  return isProtected ? 'protected' : 'member';
}

/** @returns undefined where nothing changes */
export function changeOf(before: Standing, after: Standing): Change | undefined {
  if (before === after) return undefined;
  const transition = after === 'member' ? 'entered' : before === 'member' ? 'left' : undefined;
  return { before, after, transition };
}
