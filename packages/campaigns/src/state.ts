import type { Input, RunState } from './run.ts';

/** What a run does with an input, by its state: `ignore` leaves it as it is. */
export type Reaction = 'walk' | 'look' | 'match' | 'judge' | 'exit' | 'withdraw' | 'resume' | 'move' | 'ignore';

const ended: Record<Input['kind'], Reaction> = {
  begin: 'ignore',
  due: 'ignore',
  event: 'ignore',
  changed: 'ignore',
  verdict: 'ignore',
  protected: 'ignore',
  cause_withdrawn: 'ignore',
  stopped: 'ignore',
  resumed: 'ignore',
  moved: 'ignore',
};

const open = { protected: 'exit', stopped: 'exit', cause_withdrawn: 'withdraw' } as const;

/** The total table of state and input. */
export const reactions: Record<RunState, Record<Input['kind'], Reaction>> = {
  active: {
    ...open,
    begin: 'walk',
    due: 'ignore',
    event: 'ignore',
    changed: 'ignore',
    verdict: 'ignore',
    resumed: 'ignore',
    moved: 'ignore',
  },
  // A wait whose time has come goes on; one for a rule looks, also at a time between.
  waiting: {
    ...open,
    begin: 'ignore',
    due: 'walk',
    event: 'match',
    changed: 'look',
    verdict: 'ignore',
    resumed: 'ignore',
    moved: 'move',
  },
  // What it is held at is asked again.
  held: {
    ...open,
    begin: 'ignore',
    due: 'look',
    event: 'match',
    changed: 'ignore',
    verdict: 'judge',
    resumed: 'resume',
    moved: 'move',
  },
  done: ended,
  goal_reached: ended,
  exited: ended,
  failed: ended,
};
