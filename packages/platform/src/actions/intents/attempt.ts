import type { Pool } from 'pg';
import type { Brand, OperatorSettings } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { ContactRequest, Gate } from '../../gate/index.ts';
import { type CallResult, type OperatorClients, storableStart } from '../../operator/calling/index.ts';
import { reserve } from '../budgets/index.ts';
import { applyToLocked } from './apply.ts';
import { type AttemptEnd, endAttempt, insertAttempt } from './attempt-store.ts';
import { holdsFor, type IntentClaim, lockClaimed } from './claim-store.ts';
import type { BonusIntent } from './intent.ts';
import { lockIntent } from './intent-store.ts';
import { type AnswerJudgement, judgeAnswer } from './judge-answer.ts';
import { type IntentEvent, isOverdue } from './machine.ts';
import { requestOf } from './request.ts';

/*
 * One attempt to credit one intent, in three parts:
 *
 *   begin  : one transaction. The claim holds, the gate allows, the budget is reserved, the attempt is written, the intent says
 *            that a call is open. Or the intent moves elsewhere, and there is no call.
 *   send   : one HTTP call, after the commit, if the gate still allows it.
 *   finish : one transaction. What came is written to the attempt, and moves the intent.
 *
 * Where the process dies between begin and finish, the row says that a call is open. When its time is over it counts as lost,
 * and the intent is unknown. Nobody calls again but where the operator promises that a repeated key is harmless.
 *
 * A process that was stopped (SIGSTOP, a frozen machine) for a while wakes up in the middle of this. Right before the call it
 * looks at its own clock: when more than `recheckAfterMs` have passed since `begin` started, it asks the database whether the
 * claim will outlast the call, and does not call otherwise. What stays is a stop between this look and the first byte, some
 * microseconds of code: then the call leaves late, for an intent that is unknown by now. That is the case `unknown` exists
 * for: no second call was made meanwhile, and the answer, when it comes, is written as a late one. Only a person who has
 * decided "not credited, try again" in these seconds could make it two; the API shows the attempt as lost.
 */

/** A begun call is made at once; so late, something held this process up. */
const recheckAfterMs = 1_000;
/** A call is given up as lost so long after its own time limit: time to write what came, or to be stopped a moment. */
const lostAfterMs = 15_000;
/** Of an answer so much is kept (256 KiB at most are read). */
const keptAnswerChars = 16 * 1024;
/** How long an intent waits where no operator is configured. */
const noOperatorWaitMs = 60_000;

export interface AttemptDeps {
  pool: Pool;
  clients: OperatorClients;
  gate: Pick<Gate, 'mayContact' | 'stillAllows'>;
  clock: Clock;
  /** Name of this process, for the attempt. */
  process: string;
  random: () => number;
}

export interface OpenCall {
  claim: IntentClaim;
  intent: BonusIntent;
  attempt_no: number;
  request: ReturnType<typeof requestOf>;
  /** performance.now() before the transaction that began it. */
  begun_at: number;
}

export interface Heard {
  result: CallResult | 'unsent';
  judgement: AnswerJudgement;
  took_ms: number | null;
}

/** @returns null when there is nothing to call: the claim is gone, or the intent has moved elsewhere. */
export async function beginAttempt(claim: IntentClaim, brand: Brand, deps: AttemptDeps): Promise<OpenCall | null> {
  const begun_at = performance.now();
  return transaction(deps.pool, async (tx) => {
    const intent = await lockClaimed(tx, claim);
    if (intent === null) return null;
    const at = deps.clock();
    const { operator } = brand;
    const apply = async (event: IntentEvent, proof?: Record<string, unknown>) => {
      const context = { at, idempotent: operator?.idempotent_bonus ?? false, random: deps.random() };
      return applyToLocked(tx, intent, event, proof === undefined ? context : { ...context, proof });
    };

    if (isOverdue(intent, at)) return stop(apply({ type: 'expired' }));
    if (operator === null) return stop(apply({ type: 'held', reason: 'no_operator', ask_again_ms: noOperatorWaitMs }));
    if (intent.state === 'unknown' && !operator.idempotent_bonus) return stop(apply({ type: 'repeat_forbidden' }));

    const [decision] = await deps.gate.mayContact(tx, [contactOf(intent)]);
    if (decision === undefined) throw new Error('the gate gave no decision');
    const { decision_id } = decision;
    if (decision.outcome === 'withheld')
      return stop(apply({ type: 'gate_withheld', reason: decision.reason }, { decision_id }));
    if (decision.outcome === 'held') {
      const { ask_again_ms } = decision;
      return stop(apply({ type: 'held', reason: decision.reason, ask_again_ms }, { decision_id }));
    }
    if (claim.user_id === null)
      return stop(apply({ type: 'gate_withheld', reason: 'unknown_player' }, { decision_id }));

    // A repeat is the call for which the budget was reserved.
    if (intent.state !== 'unknown') {
      const { base_currency } = brand.settings;
      const budget = (await reserve(tx, [intent], { at, base_currency })).get(intent.intent_id);
      if (budget?.reserved === false)
        return stop(apply({ type: 'budget_refused', reason: budget.reason }, { budget: budget.budget }));
    }

    const began = await apply({ type: 'attempt_began', answer_within_ms: operator.call_timeout_ms + lostAfterMs });
    if (began.result !== 'moved') return null;
    const attempt_no = began.to.attempts;
    const request = requestOf(intent, claim.user_id, { settings: brand.settings, operator });
    await insertAttempt(tx, {
      ...{ intent_id: intent.intent_id, attempt_no, player_id: intent.player_id, decision_id },
      ...{ claim: claim.claim, process: deps.process, started_at: at },
      request: {
        method: request.method,
        path: `/${request.path.join('/')}`,
        headers: request.headers,
        body: request.body,
      },
    });
    return { claim, intent, attempt_no, request, begun_at };
  });
}

async function stop(applied: Promise<unknown>): Promise<null> {
  await applied;
  return null;
}

function contactOf({ brand_id, player_id, intent_id, claimed_at, expires_at }: BonusIntent): ContactRequest {
  return {
    ...{ brand_id, player_id, channel: 'bonus', purpose: 'bonus', cause: { kind: 'intent', id: intent_id } },
    // A claim in time counts: then only the longest wait of the machine is a limit.
    expires_at: claimed_at === null ? expires_at : null,
  };
}

/** Makes the call. Never throws for anything the operator does; throws when the database does not say whether the claim holds. */
export async function sendAttempt(call: OpenCall, brand: Brand, deps: AttemptDeps): Promise<Heard> {
  const client = deps.clients.of(brand);
  const { operator } = brand;
  if (client === null || operator === null) return unsent('the operator was taken out of the configuration');
  if (performance.now() - call.begun_at > recheckAfterMs) {
    const holds = await holdsFor(deps.pool, call.claim, operator.call_timeout_ms);
    if (!holds) return unsent('this process was held up until its claim would not have outlasted the call');
  }
  const isAllowed = await deps.gate.stillAllows(deps.pool, contactOf(call.intent)).catch(() => false);
  if (!isAllowed) return unsent('what protects the player may have changed since the decision, or could not be read');
  const started = performance.now();
  const result = await client.call(call.request);
  return { result, judgement: judgeAnswer(result, operator), took_ms: performance.now() - started };
}

function unsent(detail: string): Heard {
  return { result: 'unsent', judgement: { call: { outcome: 'retry', reason: 'not_sent' }, detail }, took_ms: null };
}

/** Writes what came of a call. Safe to repeat: an attempt that has ended is not ended again. */
export async function finishAttempt(
  call: OpenCall,
  heard: Heard,
  operator: Pick<OperatorSettings, 'idempotent_bonus'>,
  deps: Pick<AttemptDeps, 'pool' | 'clock' | 'random'>,
): Promise<void> {
  const { attempt_no } = call;
  const { intent_id } = call.intent;
  await transaction(deps.pool, async (tx) => {
    const intent = await lockIntent(tx, intent_id);
    if (intent === null) return;
    const at = deps.clock();
    const late = intent.open_attempt !== attempt_no;
    if (!(await endAttempt(tx, { intent_id, attempt_no }, endOf(heard, at, late)))) return;
    const event: IntentEvent = { type: late ? 'late_answer' : 'answered', attempt_no, call: heard.judgement.call };
    const context = { at, idempotent: operator.idempotent_bonus, random: deps.random() };
    await applyToLocked(tx, intent, event, context);
  });
}

function endOf({ result, judgement, took_ms }: Heard, ended_at: number, late: boolean): AttemptEnd {
  const { call, detail } = judgement;
  const outcome = result === 'unsent' ? 'unsent' : call.outcome;
  const reason = call.outcome === 'credited' ? null : call.reason;
  return { outcome, reason, detail, took_ms, ended_at, late, answer: result === 'unsent' ? null : answerOf(result) };
}

function answerOf(result: CallResult): AttemptEnd['answer'] {
  if (!result.answered) return null;
  const text = result.body.toString('utf8');
  return { status: result.status, body: storableStart(text, keptAnswerChars), cut: text.length > keptAnswerChars };
}
