import { Ladder, passing, untilPersonActs } from '../../outgoing/index.ts';
import type { PushResult } from '../push/transport.ts';

export type CallResult = PushResult;

export type CallOutcome =
  | { outcome: 'sent'; provider_id: string | null }
  /** The call will be repeated: either the message was certainly not accepted, or the receiver recognizes it by its id. */
  | { outcome: 'retry'; reason: RetryReason; retry_after_ms: number | null }
  /** Permanently refused. */
  | { outcome: 'failed'; reason: FailReason }
  /** It may or may not have been accepted. */
  | { outcome: 'unknown'; reason: 'timeout' | 'cut' | 'server_error' | 'unclear' };

export type RetryReason =
  | 'unreachable'
  | 'connect_timeout'
  | 'rate_limited'
  | 'auth_failed'
  /** The account cannot send: it has no balance, is suspended, or may not use the sender of the settings. */
  | 'account_refused'
  /** The URL of the settings does not exist, or redirects. */
  | 'wrong_url'
  | 'redirected'
  | 'not_built'
  | 'timeout'
  | 'cut'
  | 'server_error';
export type FailReason = 'refused' | 'redirected' | 'gone' | 'private_address' | 'no_such_number' | 'opted_out';

/** How a channel reads its provider's answers. */
export interface AnswerReading {
  /** Whether the receiver recognizes a message by its id. If so, a call with an unknown outcome is repeated. */
  repeatable: boolean;
  /** The URL belongs to the settings, not to the message. So an answer that the URL is wrong concerns all messages. */
  isUrlOfSettings: boolean;
  /** Reads a 2xx. */
  taken(body: unknown, text: string): CallOutcome;
  /** Reads a 4xx if the provider says more than the status; null if it does not. */
  refused?(body: unknown): CallOutcome | null;
}

/**
 * The table of answers of providers. Pure and total.
 *
 *   2xx                         read by the channel
 *   3xx                         redirected      never followed. Again if the URL belongs to the settings. After 303, the call may have
 *                                               been accepted
 *   401, 403, 407               auth_failed     again: a person has to change something
 *   402                         account_refused again: a person has to pay
 *   404, 405, 410               wrong_url       again if the URL belongs to the settings; else refused, or gone for 410
 *   425, 429                    rate_limited    Retry-After is respected
 *   408, 409, 5xx, timeout, cut repeatable: again; else unknown
 *   other 4xx                   refused
 *   never connected             again
 */
export function judgeCall(result: CallResult, reading: AnswerReading): CallOutcome {
  if (!result.answered) return ofFailure(result.failure, reading.repeatable);
  const { status, detail, retry_after_ms } = result;
  if (status >= 200 && status < 300) return reading.taken(parsed(detail), detail);
  if (status >= 300 && status < 400) return ofRedirect(status, reading);
  if (status === 425 || status === 429) return { outcome: 'retry', reason: 'rate_limited', retry_after_ms };
  if (status === 408 || status === 409 || status < 200 || status >= 500)
    return reading.repeatable
      ? { outcome: 'retry', reason: 'server_error', retry_after_ms }
      : { outcome: 'unknown', reason: 'server_error' };
  const said = reading.refused?.(parsed(detail)) ?? null;
  if (said !== null) return said;
  if (status === 401 || status === 403 || status === 407)
    return { outcome: 'retry', reason: 'auth_failed', retry_after_ms: null };
  if (status === 402) return { outcome: 'retry', reason: 'account_refused', retry_after_ms: null };
  if (reading.isUrlOfSettings && (status === 404 || status === 405 || status === 410))
    return { outcome: 'retry', reason: 'wrong_url', retry_after_ms: null };
  return { outcome: 'failed', reason: status === 410 ? 'gone' : 'refused' };
}

function ofRedirect(status: number, { isUrlOfSettings, repeatable }: AnswerReading): CallOutcome {
  // 303 See Other is the usual answer after a form was accepted.
  if (status === 303 && !repeatable) return { outcome: 'unknown', reason: 'unclear' };
  return isUrlOfSettings
    ? { outcome: 'retry', reason: 'redirected', retry_after_ms: null }
    : { outcome: 'failed', reason: 'redirected' };
}

function ofFailure(failure: (CallResult & { answered: false })['failure'], repeatable: boolean): CallOutcome {
  switch (failure) {
    case 'unreachable':
    case 'connect_timeout':
      return { outcome: 'retry', reason: failure, retry_after_ms: null };
    case 'private_address':
      return { outcome: 'failed', reason: failure };
    case 'timeout':
    case 'cut':
      return repeatable
        ? { outcome: 'retry', reason: failure, retry_after_ms: null }
        : { outcome: 'unknown', reason: failure };
    default:
      return failure satisfies never;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether the provider works, for its circuit: true if it accepted or refused this message. An answer that would be the same for every
 * message, or that says nothing about this one, is a failure. Otherwise a whole queue would end or become unknown within seconds.
 */
export function isAlive(outcome: CallOutcome): boolean {
  switch (outcome.outcome) {
    case 'sent':
    case 'failed':
      return true;
    case 'unknown':
      return false;
    case 'retry':
      return outcome.reason === 'rate_limited' || outcome.reason === 'not_built';
    default:
      return outcome satisfies never;
  }
}

export const callLadder = new Ladder<RetryReason>(
  {
    unreachable: passing,
    connect_timeout: passing,
    rate_limited: passing,
    timeout: passing,
    cut: passing,
    server_error: passing,
    auth_failed: untilPersonActs,
    account_refused: untilPersonActs,
    wrong_url: untilPersonActs,
    redirected: untilPersonActs,
    not_built: untilPersonActs,
  },
  { jitter: 0.2 },
);
