import { Ladder, passing, untilSomebodyActs, waitOf } from '../../../outgoing/index.ts';
import type { LookUpFailure } from '../../calling/index.ts';

/*
 * What follows a failed look-up: a table (outgoing/ladder.ts). Failures in a row are counted since the last request: a new one (a login,
 * a refresh by hand) is tried at once and starts the ladder from its first wait.
 *
 * Nothing is given up for good but a player whom the operator does not know: after the ladder that one is parked, shown
 * as "details missing", asked for rarely, and after `maxParkedTries` only when something new happens.
 */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The answer itself is wrong: the same again is likely, and a fix is a release away. */
const wrongAnswer = [5 * second, minute, 10 * minute, hour];

const ladder = new Ladder<LookUpFailure>({
  unreachable: passing,
  connect_timeout: passing,
  timeout: passing,
  // A connection kept alive that the other side closed at that moment: the next one is new, so go at once.
  cut: [0, ...passing],
  server_error: passing,
  rate_limited: passing,
  tls: untilSomebodyActs,
  refused_address: untilSomebodyActs,
  no_token: untilSomebodyActs,
  unauthorized: untilSomebodyActs,
  redirected: untilSomebodyActs,
  rejected: wrongAnswer,
  not_json: wrongAnswer,
  other_player: wrongAnswer,
  error_in_answer: wrongAnswer,
  too_large: wrongAnswer,
  unstorable: wrongAnswer,
  // The event may overtake the operator's own commit, hence the quick first steps.
  unknown_player: [second, 5 * second, 30 * second, 2 * minute, 10 * minute, hour],
});

/** Waits between the tries of a parked player. */
const parkedWaits = [6 * hour, 24 * hour];
export const maxParkedTries = 30;

/** No wait is longer, so a due time beyond it can only come from a clock that was set back. */
export const longestWaitMs = 24 * hour * 1.1;

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
  const to_background = attempts > freshTries;
  const beyond = attempts - ladder.stepsOf(failure);
  if (failure === 'unknown_player' && beyond > 0) {
    const delay_ms = beyond > maxParkedTries ? null : waitOf(parkedWaits, beyond, options.random);
    return { delay_ms, parked: true, to_background };
  }
  return { delay_ms: ladder.delayMs(failure, attempts, options), parked: false, to_background };
}
