import type { Pool } from 'pg';
import type { Brand, OperatorSettings } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { ContactRequest, Gate } from '../../gate/index.ts';
import { type CallResult, type OperatorClients, storableStart } from '../../operator/calling/index.ts';
import { done, lost, nullIfNotSent, type Outcome, type SendCheck, type Started } from '../../outgoing/index.ts';
import { reserve } from '../budgets/index.ts';
import { applyToLocked } from './apply.ts';
import { type AttemptEnd, endAttempt, insertAttempt } from './attempt-store.ts';
import { type IntentClaim, intentQueue } from './claim-store.ts';
import type { BonusIntent } from './intent.ts';
import { lockIntent } from './intent-store.ts';
import { type AnswerJudgment, judgeAnswer } from './judge-answer.ts';
import { type IntentEvent, isOverdue, type Step } from './machine.ts';
import { requestOf } from './request.ts';

/*
 * One attempt to credit one intent, in the three parts of a call (outgoing/call.ts):
 *
 *   begin  : one transaction. It checks the claim and the gate, reserves the budget, writes the attempt, and marks the intent as
 *            having an open call. If no call may be made, the intent moves to another state instead.
 *   send   : one HTTP call, after the commit, if the gate still allows it.
 *   finish : one transaction. It writes the outcome to the attempt, and moves the intent.
 *
 * If the process dies between begin and finish, the row records an open call. When its time is over, the call counts as lost,
 * and the intent becomes unknown. The call is repeated only if the operator promises that a repeated key is harmless.
 *
 * A process may have been stopped for a while. So right before the call it asks the database whether its claim will outlast
 * the call, and makes no call if it will not. One gap remains: the process may be stopped between this check and the first
 * byte. Then the call is sent late, for an intent that is unknown by then. The state `unknown` covers this case: no second
 * call was made in the meantime, and the answer, when it arrives, is written as a late one. Two calls are possible only if a
 * person decides "not credited, try again" in these seconds, while the API shows the attempt as lost.
 */

/**
 * A call counts as lost this long after its own timeout. Until then, its outcome can still be written, even if the process was
 * frozen for a moment.
 */
const lostAfterMs = 15_000;
/** How many characters of an answer are stored (at most 256 KiB are read). */
const maxAnswerChars = 16 * 1024;
/** How long an intent waits while its campaign is paused. A resume makes it due earlier. */
const whilePausedMs = 60_000;
/** How long an intent waits if no operator is configured. */
const noOperatorWaitMs = 60_000;

export interface AttemptDeps {
  pool: Pool;
  clients: OperatorClients;
  gate: Pick<Gate, 'mayContact' | 'stillAllows'>;
  clock: Clock;
  /** The name of this process, stored with the attempt. */
  process: string;
  random: () => number;
}

export interface OpenCall {
  claim: IntentClaim;
  intent: BonusIntent;
  attempt_no: number;
  request: ReturnType<typeof requestOf>;
}

export interface JudgedAnswer {
  result: CallResult | 'unsent';
  judgment: AnswerJudgment;
  took_ms: number | null;
}

/** Begins an attempt. If no call may be made, it moves the intent to another state instead. */
export async function beginAttempt(
  claim: IntentClaim,
  brand: Brand,
  deps: AttemptDeps,
): Promise<Started<OpenCall> | Outcome> {
  return transaction(deps.pool, async (tx): Promise<Started<OpenCall> | Outcome> => {
    const due = await intentQueue.lock(tx, claim);
    if (due === null) return lost;
    const { campaign_hold, ...intent } = due;
    const at = deps.clock();
    const { operator } = brand;
    const apply = async (event: IntentEvent, proof?: Record<string, unknown>) => {
      const context = { at, idempotent: operator?.idempotent_bonus ?? false, random: deps.random() };
      return applyToLocked(tx, intent, event, proof === undefined ? context : { ...context, proof });
    };

    if (isOverdue(intent, at)) return stopped(apply({ type: 'expired' }));
    // A stop or a pause of the campaign does not apply to a claimed offer, because the player was told that they get it. Nor
    // does it apply to a repeat, because a repeat settles an earlier call.
    const isOrder = !intent.offered && intent.state !== 'unknown';
    if (isOrder && campaign_hold === 'campaign_stopped') return stopped(apply({ type: campaign_hold }));
    if (isOrder && campaign_hold === 'campaign_paused')
      return stopped(apply({ type: 'held', reason: campaign_hold, ask_again_ms: whilePausedMs }));
    if (operator === null)
      return stopped(apply({ type: 'held', reason: 'no_operator', ask_again_ms: noOperatorWaitMs }));
    if (intent.state === 'unknown' && !operator.idempotent_bonus) return stopped(apply({ type: 'repeat_forbidden' }));

    const [decision] = await deps.gate.mayContact(tx, [contactOf(intent)]);
    if (decision === undefined) throw new Error('the gate returned no decision');
    const { decision_id } = decision;
    if (decision.outcome === 'withheld')
      return stopped(apply({ type: 'gate_withheld', reason: decision.reason }, { decision_id }));
    if (decision.outcome === 'held') {
      const { ask_again_ms } = decision;
      return stopped(apply({ type: 'held', reason: decision.reason, ask_again_ms }, { decision_id }));
    }
    if (claim.user_id === null)
      return stopped(apply({ type: 'gate_withheld', reason: 'unknown_player' }, { decision_id }));

    // A repeat uses the budget that was reserved for the first call.
    if (intent.state !== 'unknown') {
      const { base_currency } = brand.settings;
      const budget = (await reserve(tx, [intent], { at, base_currency })).get(intent.intent_id);
      if (budget?.reserved === false)
        return stopped(apply({ type: 'budget_refused', reason: budget.reason }, { budget: budget.budget }));
    }

    const began = await apply({ type: 'attempt_began', answer_within_ms: operator.call_timeout_ms + lostAfterMs });
    if (began.result !== 'moved') return lost;
    const attempt_no = began.to.attempts;
    const request = requestOf(intent, claim.user_id, { settings: brand.settings, operator });
    await insertAttempt(tx, {
      intent_id: intent.intent_id,
      attempt_no,
      player_id: intent.player_id,
      decision_id,
      claim: claim.claim,
      process: deps.process,
      started_at: at,
      request: {
        method: request.method,
        path: `/${request.path.join('/')}`,
        headers: request.headers,
        body: request.body,
      },
    });
    return { outcome: 'started', open: { claim, intent, attempt_no, request } };
  });
}

async function stopped(applied: Promise<Step>): Promise<Outcome> {
  return outcomeOf(await applied);
}

/** Converts a step of the machine into the outcome for the runner. */
function outcomeOf(step: Step): Outcome {
  if (step.result !== 'moved') return lost;
  const { state, reason: said } = step.to;
  const reason = said ?? state;
  if (state === 'credited') return done;
  const { due } = step;
  if (due === null || due === 'kept' || due.for !== 'call') return { outcome: 'give_up', reason };
  return { outcome: state === 'pending' ? 'snooze' : 'retry', reason, in_ms: due.in_ms };
}

/** The request to the gate, when an attempt begins and again right before its call. */
export function contactOf({ brand_id, player_id, intent_id, claimed_at, expires_at }: BonusIntent): ContactRequest {
  return {
    brand_id,
    player_id,
    channel: 'bonus',
    purpose: 'bonus',
    cause: { kind: 'intent', id: intent_id },
    // A player who claimed an offer in time may get it after its expiry. Then the only limit is the machine's longest
    // wait.
    expires_at: claimed_at === null ? expires_at : null,
  };
}

/** Makes the call. Never throws for an error of the operator. @returns null if it was not allowed to be sent */
export async function sendAttempt(
  call: OpenCall,
  brand: Brand,
  deps: Pick<AttemptDeps, 'clients'>,
  sendCheck: SendCheck,
): Promise<JudgedAnswer | null> {
  const client = deps.clients.of(brand);
  const { operator } = brand;
  if (client === null || operator === null) return unsent('the operator was removed from the configuration');
  const started = performance.now();
  const result = await nullIfNotSent(client.call({ ...call.request, sendCheck }));
  if (result === null) return null;
  return { result, judgment: judgeAnswer(result, operator), took_ms: performance.now() - started };
}

/** Replaces the answer if the call was not made (outgoing/call.ts). */
export const notMade = unsent(
  "the claim would expire during the call, or the player's protection may have changed since the decision or could not be read",
);

function unsent(detail: string): JudgedAnswer {
  return { result: 'unsent', judgment: { call: { outcome: 'retry', reason: 'not_sent' }, detail }, took_ms: null };
}

/** Writes the outcome of a call. Safe to repeat: an attempt that has ended is not ended again. */
export async function finishAttempt(
  call: OpenCall,
  answer: JudgedAnswer,
  operator: Pick<OperatorSettings, 'idempotent_bonus'>,
  deps: Pick<AttemptDeps, 'pool' | 'clock' | 'random'>,
): Promise<Outcome> {
  const { attempt_no } = call;
  const { intent_id } = call.intent;
  return transaction(deps.pool, async (tx) => {
    const intent = await lockIntent(tx, intent_id);
    if (intent === null) return lost;
    const at = deps.clock();
    const late = intent.open_attempt !== attempt_no;
    if (!(await endAttempt(tx, { intent_id, attempt_no }, endOf(answer, at, late)))) return lost;
    const event: IntentEvent = { type: late ? 'late_answer' : 'answered', attempt_no, call: answer.judgment.call };
    const context = { at, idempotent: operator.idempotent_bonus, random: deps.random() };
    return outcomeOf(await applyToLocked(tx, intent, event, context));
  });
}

function endOf({ result, judgment, took_ms }: JudgedAnswer, ended_at: number, late: boolean): AttemptEnd {
  const { call, detail } = judgment;
  const outcome = result === 'unsent' ? 'unsent' : call.outcome;
  const reason = call.outcome === 'credited' ? null : call.reason;
  return { outcome, reason, detail, took_ms, ended_at, late, answer: result === 'unsent' ? null : answerOf(result) };
}

function answerOf(result: CallResult): AttemptEnd['answer'] {
  if (!result.answered) return null;
  const text = result.body.toString('utf8');
  return { status: result.status, body: storableStart(text, maxAnswerChars), cut: text.length > maxAnswerChars };
}
