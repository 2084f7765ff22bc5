const states = ['failing', 'warning', 'not_started', 'done'] as const;

/** A state of a line of the go-live checklist. */
export type StepState = (typeof states)[number];

export type StepCounts = Readonly<Record<StepState, number>>;

/** Counts how many of the lines are in each state. Pure. */
export function stepCounts(lines: readonly { state: StepState }[]): StepCounts {
  const count = (sought: StepState) => lines.filter(({ state }) => state === sought).length;
  return {
    failing: count('failing'),
    warning: count('warning'),
    not_started: count('not_started'),
    done: count('done'),
  };
}

/** Returns the state of all lines together, which is the state of the worst line. Pure. */
export function worstState(counts: StepCounts): StepState {
  return states.find((state) => counts[state] > 0) ?? 'done';
}
