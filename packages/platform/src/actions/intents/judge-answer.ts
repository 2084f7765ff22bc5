import type { OperatorSettings } from '../../brands/index.ts';
import type { CallAnswer, CallFailure, CallResult } from '../../operator/calling/index.ts';
import { signOfFailure } from '../../operator/judging/index.ts';
import type { CallOutcome } from './machine.ts';
import type { RetryReason } from './retry.ts';
import { whyUnreadable } from './unreadable.ts';

/** Brand settings for the meaning of its operator's answers. */
export type AnswerRules = Pick<OperatorSettings, 'bonus_200_error' | 'bonus_500'>;

export interface AnswerJudgment {
  call: CallOutcome;
  /** For people; null if the outcome needs no detail. */
  detail: string | null;
}

/** Statuses by which the operator states that it has not credited, and will not credit (docs/reference/decisions.md 5). */
const rejections: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 413, 415, 422]);

/**
 * Judges the answer to one bonus call: the whole table of docs/reference/decisions.md 5. Pure.
 *
 * A status that the table does not name is unknown: an unexpected answer (402, 408, 451, a status below 200) proves neither
 * that money moved nor that it did not.
 */
export function judgeAnswer(result: CallResult, rules: AnswerRules): AnswerJudgment {
  if (!result.answered) return judgeFailure(result);
  const { status, retry_after_ms } = result;
  if (status >= 200 && status < 300) return judgeSuccess(result, rules);
  const detail = `the operator answered ${status}`;
  if ((status >= 300 && status < 400) || rejections.has(status)) {
    return { call: { outcome: 'rejected', reason: `operator_${status}` }, detail };
  }
  // The token was already renewed once (operator/calling/client).
  if (status === 401) return { call: { outcome: 'retry', reason: 'unauthorized' }, detail };
  if (status === 429) return { call: { outcome: 'retry', reason: 'rate_limited', retry_after_ms }, detail };
  if (status >= 500 && status < 600 && rules.bonus_500 === 'not_applied') {
    return { call: { outcome: 'retry', reason: 'server_error', retry_after_ms }, detail };
  }
  return { call: { outcome: 'unknown', reason: `operator_${status}` }, detail };
}

/** A text that is not JSON contains no sign of failure, so the request succeeded. */
function judgeSuccess(answer: CallAnswer, { bonus_200_error }: AnswerRules): AnswerJudgment {
  const unreadable = whyUnreadable(answer);
  if (unreadable !== undefined) {
    const detail = `the operator answered ${answer.status} with ${unreadable}`;
    return { call: { outcome: 'unknown', reason: 'unreadable_answer' }, detail };
  }
  const sign = signOfFailure(answer.body);
  if (sign === undefined) return { call: { outcome: 'credited' }, detail: null };
  return { call: { outcome: bonus_200_error, reason: 'error_in_success' }, detail: sign };
}

/** Failures of a call of which certainly no byte was sent. */
const unsent: Partial<Record<CallFailure, RetryReason>> = {
  unreachable: 'unreachable',
  connect_timeout: 'connect_timeout',
  tls: 'tls',
  refused_address: 'refused_address',
  no_token: 'no_token',
};

function judgeFailure({ failure, detail, sent }: Extract<CallResult, { answered: false }>): AnswerJudgment {
  const reason = sent ? undefined : unsent[failure];
  if (reason !== undefined) return { call: { outcome: 'retry', reason }, detail };
  // This includes an answer that is too large to be read, with any status.
  return { call: { outcome: 'unknown', reason: failure }, detail };
}
