import { Ladder, passing, untilPersonActs, waitOf } from '../../../outgoing/index.ts';
import type { LookUpFailure } from '../../judging/index.ts';

/*
 * A table (outgoing/ladder.ts) of what follows a failed look-up. Consecutive failures of the same kind are counted since the
 * last request. A new request (a login, a manual refresh) is tried immediately and starts again with the first wait.
 *
 * Retries end only for a player whom the operator does not know. After the ladder such a player is parked, shown as
 * "details missing", and looked up rarely; after `maxParkedTries` only when a new request arrives.
 */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The answer itself is wrong. The same answer is likely again until the operator releases a fix. */
const wrongAnswer = [5 * second, minute, 10 * minute, hour];

const ladder = new Ladder<LookUpFailure>({
  unreachable: passing,
  connect_timeout: passing,
  timeout: passing,
  // The other side may have closed a kept-alive connection just as the call was sent. The next connection is new, so
  // retry immediately.
  cut: [0, ...passing],
  server_error: passing,
  rate_limited: passing,
  tls: untilPersonActs,
  refused_address: untilPersonActs,
  no_token: untilPersonActs,
  unauthorized: untilPersonActs,
  redirected: untilPersonActs,
  rejected: wrongAnswer,
  not_json: wrongAnswer,
  other_player: wrongAnswer,
  error_in_answer: wrongAnswer,
  too_large: wrongAnswer,
  unstorable: wrongAnswer,
  // The event may arrive before the operator's own commit, so the first retries are quick.
  unknown_player: [second, 5 * second, 30 * second, 2 * minute, 10 * minute, hour],
});

/** Waits between the tries of a parked player. */
const parkedWaits = [6 * hour, 24 * hour];
export const maxParkedTries = 30;

/** No wait is longer, so a due time beyond it is possible only after the clock was set back. */
export const longestWaitMs = 24 * hour * 1.1;

/**
 * The first 2 failures stay in the lane of the request, because the event is still fresh. After that, the player waits in the
 * background.
 */
const freshTries = 2;

/** The failures since the last request, before this one. */
export interface EarlierFailures {
  attempts: number;
  /** The last one, and how many in a row were of its kind. */
  reason: string | null;
  tries: number;
}

export interface NextTry {
  /** Consecutive failures of this kind, to store with the failure. */
  tries: number;
  /** Null if it is no longer retried automatically. */
  delay_ms: number | null;
  parked: boolean;
  to_background: boolean;
}

/** Whether the look-up fails until a person acts, for example corrects the key of the operator. */
export function needsPerson(failure: LookUpFailure): boolean {
  return ladder.needsPerson(failure);
}

/** @param random a number in [0, 1) */
export function nextTry(
  failure: LookUpFailure,
  before: EarlierFailures,
  options: { random: number; retry_after_ms?: number | undefined },
): NextTry {
  const to_background = before.attempts + 1 > freshTries;
  const tries = ladder.triesAfter(before, failure);
  const beyond = tries - ladder.stepsOf(failure);
  if (failure === 'unknown_player' && beyond > 0) {
    const delay_ms = beyond > maxParkedTries ? null : waitOf(parkedWaits, beyond, options.random);
    return { tries, delay_ms, parked: true, to_background };
  }
  return { tries, delay_ms: ladder.delayMs(failure, tries, options), parked: false, to_background };
}
