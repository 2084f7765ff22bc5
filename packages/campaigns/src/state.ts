import type { Input, RunState } from './run.ts';

/**
 * How a run reacts to an input.
 *
 * - walk: continues with the next steps
 * - look: checks the awaited rule, or requests the decision about the held effect again
 * - match: compares an event with the goal and with the wait
 * - judge: applies a verdict to the held effect
 * - exit: ends the run
 * - withdraw: ends the run if it has had no effect yet
 * - resume: continues after a pause of the campaign
 * - move: continues in another version
 * - goal: compares an event with the goal only
 * - unwatch: no longer watches for the goal
 * - ignore: leaves the run unchanged
 */
export type Reaction =
  | 'walk'
  | 'look'
  | 'match'
  | 'judge'
  | 'exit'
  | 'withdraw'
  | 'resume'
  | 'move'
  | 'goal'
  | 'unwatch'
  | 'ignore';

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

const watching = { event: 'goal', protected: 'unwatch', stopped: 'unwatch' } as const;

const open = { protected: 'exit', stopped: 'exit', cause_withdrawn: 'withdraw' } as const;

/** The complete table of states and inputs. */
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
  // At the end of its wait, a run continues. A wait for a rule evaluates the rule at each check before its end, and not at its end.
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
  // When a held run is due, it requests the decision about its effect again.
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
  // The steps of the run are over. The run watches for its goal until the window ends, the player becomes protected or the campaign stops.
  done: { ...ended, ...watching },
  goal_reached: ended,
  // Only a run that exited after a split watches.
  exited: { ...ended, ...watching },
  failed: ended,
};
