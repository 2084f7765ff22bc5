import { type CallResult, storableStart } from '../calling/index.ts';
import { judgeStatus, type LookUpFailure, signOfFailure } from '../judging/index.ts';
import type { WriteFailure } from './retry.ts';

/**
 * The verdict on the answer to a write. `stored` is the operator's statement; the look-up that follows shows whether it is
 * true.
 */
export type WriteJudgment =
  | { stored: true }
  | { stored: false; failure: WriteFailure; detail: string; retry_after_ms?: number | undefined };

/**
 * Judges the answer to a write. Pure. The interface promises 200, 400 or 500 and no body, so a body may be anything; only a
 * sign of failure counts.
 */
export function judgeWrite(result: CallResult): WriteJudgment {
  if (!result.answered) return { stored: false, failure: result.failure, detail: result.detail };
  const { status, body } = result;
  if (status < 200 || status > 299) return judgeRefusal(status, result.retry_after_ms);
  const sign = signOfFailure(body);
  if (sign === undefined) return { stored: true };
  return { stored: false, failure: 'not_stored', detail: `answered ${status} with ${sign}` };
}

function judgeRefusal(status: number, retryAfterMs: number | undefined): WriteJudgment {
  const judged = judgeStatus(status, retryAfterMs);
  if (judged.verdict === 'unknown_player') return { stored: false, failure: 'unknown_player', detail: judged.detail };
  const { detail, retry_after_ms } = judged;
  const failure = isOfBody(judged.failure) ? 'rejected' : judged.failure;
  return { stored: false, failure, detail, retry_after_ms };
}

/** True for failures that only a body can show; a status never produces them. */
function isOfBody(failure: LookUpFailure): failure is Exclude<LookUpFailure, WriteFailure> {
  return failure === 'other_player' || failure === 'not_json' || failure === 'error_in_answer';
}

/** If an endpoint refuses a write, it still works, so its circuit stays closed for other writes of the brand. */
const aliveFailures: ReadonlySet<WriteFailure> = new Set(['rejected', 'unknown_player', 'not_stored']);

export function isAlive(judgment: WriteJudgment): boolean {
  return judgment.stored || aliveFailures.has(judgment.failure);
}

const maxAnswer = 2_000;

/** The beginning of the answer, stored with the attempt. null if there was none. */
export function answerText(result: CallResult): string | null {
  return result.answered ? storableStart(result.body.toString('utf8'), maxAnswer) : null;
}
