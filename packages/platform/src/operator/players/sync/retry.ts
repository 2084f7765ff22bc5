import type { LookUpFailure } from '../../calling/index.ts';

/*
 * What follows a failed look-up: a table, no ifs (style.md 13). Each failure has a ladder; the n-th failure in a row since
 * the last request takes the n-th step, and the last step stands for all that follow. A new request (a login, a refresh by
 * hand) is tried at once and starts the ladder anew.
 *
 * Nothing is given up for good but a player whom the operator does not know: after the ladder that one is parked, shown
 * as "details missing", asked for rarely, and after `maxParkedTries` only when something new happens.
 */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The network or the operator's machines: usually short. 15 minutes is as old as news gets after a long outage. */
const passing = [second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute];
/** Nothing changes until a person does something. */
const settings = [30 * second, minute, 5 * minute, 15 * minute];
/** The answer itself is wrong: the same again is likely, and a fix is a release away. */
const wrongAnswer = [5 * second, minute, 10 * minute, hour];

const ladders: Record<LookUpFailure, readonly number[]> = {
  unreachable: passing,
  connect_timeout: passing,
  timeout: passing,
  // A connection kept alive that the other side closed at that moment: the next one is new, so go at once.
  cut: [0, ...passing],
  server_error: passing,
  rate_limited: passing,
  tls: settings,
  refused_address: settings,
  no_token: settings,
  unauthorized: settings,
  redirected: settings,
  rejected: wrongAnswer,
  not_json: wrongAnswer,
  other_player: wrongAnswer,
  error_in_answer: wrongAnswer,
  too_large: wrongAnswer,
  unstorable: wrongAnswer,
  // The event may overtake the operator's own commit, hence the quick first steps.
  unknown_player: [second, 5 * second, 30 * second, 2 * minute, 10 * minute, hour],
};

/** Waits between the tries of a parked player. */
const parkedWaits = [6 * hour, 24 * hour];
export const maxParkedTries = 30;

/** No wait is longer, so a due time beyond it can only come from a clock that was set back. */
export const longestWaitMs = 24 * hour * 1.1;

/** Spread of a wait, so that players who failed together do not come back together. */
const jitter = 0.1;

/** So many failures stay in the lane of the request: an event is still fresh. Then the player waits in the background. */
const freshTries = 2;

export interface NextTry {
  /** null: not by itself any more. */
  delay_ms: number | null;
  parked: boolean;
  to_background: boolean;
}

/**
 * @param attempts failures in a row since the last request, this one included: 1, 2, 3, ...
 * @param random a number in [0, 1).
 */
export function nextTry(
  failure: LookUpFailure,
  attempts: number,
  options: { random: number; retry_after_ms?: number | undefined },
): NextTry {
  const ladder = ladders[failure];
  const to_background = attempts > freshTries;
  const beyond = attempts - ladder.length;
  if (failure === 'unknown_player' && beyond > 0) {
    const delay_ms = beyond > maxParkedTries ? null : spread(step(parkedWaits, beyond), options.random);
    return { delay_ms, parked: true, to_background };
  }
  const delay = spread(step(ladder, attempts), options.random);
  return { delay_ms: Math.max(delay, options.retry_after_ms ?? 0), parked: false, to_background };
}

function step(ladder: readonly number[], attempt: number): number {
  return ladder[Math.min(attempt, ladder.length) - 1] ?? 0;
}

function spread(delay: number, random: number): number {
  return Math.round(delay * (1 - jitter + 2 * jitter * random));
}
