/** A change of the state of a bonus. */
export interface StateChange {
  event: string;
  state: string;
  /** Who made the change, if it was a person. */
  actor: string | null;
}

/** The states in which a person has to find out whether the bonus was credited. */
const openStates: readonly string[] = ['unknown', 'needs_person'];

export const isOpenQuestion = (state: string): boolean => openStates.includes(state);

/**
 * Returns the change that settled an unknown outcome: the first one after the last open state. Undefined if there is none. Pure.
 * @param changes the oldest first
 */
export function settlingChange<Change extends StateChange>(changes: readonly Change[]): Change | undefined {
  const last = changes.findLastIndex(({ state }) => isOpenQuestion(state));
  return last === -1 ? undefined : changes[last + 1];
}
