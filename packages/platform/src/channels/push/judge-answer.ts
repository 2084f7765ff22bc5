import { Ladder, type Waits } from '../../outgoing/index.ts';
import type { PushFailure, PushResult } from './transport.ts';

/** The outcome of a call. Reasons are codes that the console shows. */
export type PushOutcome =
  | { outcome: 'sent' }
  /** Certainly not accepted: repeat later. */
  | { outcome: 'retry'; reason: RetryReason; retry_after_ms: number | null }
  /** The subscription has ended: the device is removed. */
  | { outcome: 'gone' }
  /** Permanently refused: the same request would be refused again. */
  | {
      outcome: 'failed';
      reason: 'invalid' | 'too_large' | 'vapid_refused' | 'redirected' | 'private_address' | 'refused';
    }
  /** It may or may not have been accepted. */
  | { outcome: 'unknown'; reason: 'timeout' | 'cut' };

export type RetryReason = 'unreachable' | 'connect_timeout' | 'rate_limited' | 'server_error';

/**
 * The table of push services' answers (RFC 8030, RFC 8292). Pure and total.
 *
 *   2xx              sent           (201 by the standard; some answer 200, 202 or 204)
 *   404, 410         gone
 *   429              retry          Retry-After is respected
 *   408, 5xx         retry          the service did not accept it
 *   401, 403         vapid_refused  our signature, or a device that subscribed with another key
 *   413              too_large
 *   3xx              redirected     never followed
 *   other 4xx        invalid
 */
export function judgeAnswer(result: PushResult): PushOutcome {
  if (!result.answered) return ofFailure(result.failure);
  const { status, retry_after_ms } = result;
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status === 429) return { outcome: 'retry', reason: 'rate_limited', retry_after_ms };
  if (status === 408 || (status >= 500 && status < 600))
    return { outcome: 'retry', reason: 'server_error', retry_after_ms };
  if (status === 401 || status === 403) return { outcome: 'failed', reason: 'vapid_refused' };
  if (status === 413) return { outcome: 'failed', reason: 'too_large' };
  if (status >= 300 && status < 400) return { outcome: 'failed', reason: 'redirected' };
  return { outcome: 'failed', reason: status >= 400 && status < 500 ? 'invalid' : 'refused' };
}

function ofFailure(failure: PushFailure): PushOutcome {
  switch (failure) {
    case 'unreachable':
    case 'connect_timeout':
      return { outcome: 'retry', reason: failure, retry_after_ms: null };
    case 'private_address':
      return { outcome: 'failed', reason: failure };
    case 'timeout':
    case 'cut':
      return { outcome: 'unknown', reason: failure };
    default:
      return failure satisfies never;
  }
}

const second = 1_000;
const minute = 60 * second;
/**
 * How long to wait before the next try. It is the same for all reasons. A push service that needs a longer wait sends
 * Retry-After. The expiry of the push limits the tries: about 28 in a day.
 */
const waits: Waits = [2 * second, 15 * second, minute, 5 * minute, 15 * minute, 60 * minute];
export const pushLadder = new Ladder<RetryReason>(
  { unreachable: waits, connect_timeout: waits, rate_limited: waits, server_error: waits },
  { jitter: 0.2 },
);
