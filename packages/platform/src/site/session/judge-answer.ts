import { parseBody } from '@croupier/contracts';
import type { CallResult } from '../../operator/calling/index.ts';
import { signOfFailure } from '../../operator/judging/index.ts';
import { readUserId } from './user-id.ts';

/** The verdict on the operator's answer to POST /authenticate. */
export type SidAnswer =
  | { outcome: 'valid'; user_id: string }
  | { outcome: 'invalid' }
  /** Nothing is known about the sid. */
  | { outcome: 'unknown'; reason: string; detail: string; pause_ms?: number | undefined };

/** Statuses by which an operator refuses the sid. 400 and 422: the sid has a wrong form. 404 and 410: it is unknown or no longer valid. */
const refusals = [400, 401, 403, 404, 410, 422];

/**
 * Valid only if the status is 200 and the body has `user_id`, a text or an integer (docs/reference/decisions.md 4). Pure.
 *
 * The difference between "invalid" and "unknown" decides whether players are signed out while the operator is in trouble: a sid
 * is invalid only if the operator itself answered that it is. A proxy's page in place of JSON does not count.
 */
export function judgeSidAnswer(result: CallResult): SidAnswer {
  if (!result.answered) return { outcome: 'unknown', reason: result.failure, detail: result.detail };
  const { status, body, retry_after_ms: pause_ms } = result;
  if (refusals.includes(status)) return { outcome: 'invalid' };
  if (status !== 200) {
    const asked = status === 429 ? { pause_ms: pause_ms ?? defaultPauseMs } : {};
    return { outcome: 'unknown', reason: `status_${status}`, detail: `the operator answered ${status}`, ...asked };
  }
  const parsing = parseBody(body.toString('utf8'));
  if (!parsing.ok || typeof parsing.body !== 'object' || parsing.body === null)
    return { outcome: 'unknown', reason: 'wrong_body', detail: 'the answer is not a JSON object' };
  if (signOfFailure(body) !== undefined) return { outcome: 'invalid' };
  const user_id = readUserId((parsing.body as { user_id?: unknown }).user_id);
  return user_id === undefined ? { outcome: 'invalid' } : { outcome: 'valid', user_id };
}

const defaultPauseMs = 1_000;
