import type { Micros } from '@croupier/contracts';
import type { Due, IntentPosition, IntentTerms, ResolvedBy } from './position.ts';
import { intentLadder, type RetryReason, repeatDelayMs } from './retry.ts';

/*
 * The life of a bonus intent. Money moves at most once. Once a call may have credited, the intent is `unknown`, and no call
 * follows until the outcome is known (docs/reference/decisions.md 5).
 *
 *              claimed                     held, or the call did nothing
 *   offered -------------> pending <----------------------------------------> retry
 *      |                    |   |                                              |  |
 *      | expired, cancelled,|   '--------------------- call -------------------'  | (the same ends)
 *      | protected, stopped |              |           |            |
 *      |                    | withheld,    |credited   | rejected   | unknown, or its worker was lost
 *      |                    | no budget,   |           |            v
 *      |                    | waited too   |           |         unknown --- repeat (idempotent operators only) ---.
 *      |                    | long         |           |          |  |  ^                                          |
 *      |                    |              |           |          |  |  '------------------------------------------'
 *      |                    v              v           |          |  | 24 h after the last call
 *      '----------------> rejected      credited <-----|----------'  v
 *                           ^              ^           |          needs_person
 *                           '--------------|-----------'             |
 *                           ^              '-------------------------|  event, late answer, person: credited
 *                           '----------------------------------------'  late answer, person: not credited
 *
 * An open call is not a separate state but `open_attempt`. A stronger proof may move the intent in the meantime, so a call
 * can end in any state. Proofs, strongest first: a reference in a bonus event, the answer (also a late one), a person, a match.
 *
 * `doubts` are the calls that may or may not have credited. An unknown intent counts as not credited only when no doubt is left: a
 * 400 to the second call says nothing about the first.
 */

/** The outcome of one call; judge-answer.ts maps answers to outcomes. */
export type CallOutcome =
  | { outcome: 'credited' }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unknown'; reason: string }
  | { outcome: 'retry'; reason: RetryReason; retry_after_ms?: number | undefined };

export type IntentEvent =
  /** The player claims the offer. */
  | { type: 'claimed' }
  | { type: 'expired' }
  | { type: 'cancelled' }
  | { type: 'gate_withheld'; reason: string }
  /** No call now: the gate needs more information first, or no operator is configured. */
  | { type: 'held'; reason: string; ask_again_ms: number }
  | { type: 'budget_refused'; reason: string }
  /** The player is now excluded or blocked. */
  | { type: 'protected'; reason: 'excluded' | 'blocked' }
  /** The campaign that ordered it was stopped. */
  | { type: 'campaign_stopped' }
  /** A repeat was due, but the operator is no longer known to honor keys. */
  | { type: 'repeat_forbidden' }
  | { type: 'attempt_began'; answer_within_ms: number }
  | { type: 'answered'; attempt_no: number; call: CallOutcome }
  /** The claim expired while a call was open. */
  | { type: 'attempt_lost' }
  /** The outcome of a call that had been given up as lost. */
  | { type: 'late_answer'; attempt_no: number; call: CallOutcome }
  | { type: 'event_reference' }
  | { type: 'event_matched' }
  /** The event no longer matches the intent: for example, a later reference assigns the bonus to another intent. */
  | { type: 'match_withdrawn' }
  | { type: 'person'; verdict: PersonVerdict }
  | { type: 'unknown_deadline' };
export type IntentEventType = IntentEvent['type'];

/** What a person found out and decided: the bonus was credited; it was not and the intent ends; it was not and the call is repeated. */
export const personVerdicts = ['credited', 'give_up', 'try_again'] as const;
export type PersonVerdict = (typeof personVerdicts)[number];

export interface StepContext {
  at: Micros;
  /** The operator honors Idempotency-Key (setting idempotent_bonus). */
  idempotent: boolean;
  /** In [0, 1); used for jitter. */
  random: number;
}

/** Why a person's request is refused. */
export const refusals = {
  call_under_way: {
    en: 'a call to the operator is in progress; retry when its outcome is known',
    de: 'Ein Aufruf beim Betreiber läuft; versuchen Sie es erneut, sobald sein Ergebnis bekannt ist',
  },
  already_credited: { en: 'the bonus was credited', de: 'Der Bonus wurde gutgeschrieben' },
  already_rejected: {
    en: 'the intent ended without a credit; create a new one',
    de: 'Der Auftrag endete ohne Gutschrift; legen Sie einen neuen an',
  },
  may_have_credited: {
    en: "the bonus may have been credited; check the operator's records and resolve the intent",
    de: 'Der Bonus wurde möglicherweise gutgeschrieben; prüfen Sie die Aufzeichnungen des Betreibers, und klären Sie den Auftrag',
  },
  not_in_doubt: { en: 'the intent is not in doubt', de: 'Das Ergebnis des Auftrags ist nicht unklar' },
} as const;
export type Refusal = keyof typeof refusals;

export interface Moved {
  result: 'moved';
  to: IntentPosition;
  /** Null: nothing more happens automatically. */
  due: Due | null | 'kept';
  /** The new state of the reserved budget; null: unchanged. */
  reservation: 'spent' | 'released' | 'reserved' | null;
}
/** `stays`: the event has no effect, because it is late or repeated. */
export type Step = Moved | { result: 'stays' } | { result: 'refused'; why: Refusal };

/** An intent that has waited 72 hours for a call is given up, because a bonus for an occasion is useless days later. */
export const longestWait: Micros = 72 * 3_600_000_000;
/**
 * A bonus event may arrive up to 24 hours after the last call (docs/reference/decisions.md 5). After that, only a person can
 * find out.
 */
export const unknownFor: Micros = 24 * 3_600_000_000;

type Intent = IntentPosition & IntentTerms;

const stays: Step = { result: 'stays' };
const refused = (why: Refusal): Step => ({ result: 'refused', why });

/** The position of a new intent. */
export function beginning({ offered, expires_at }: { offered: boolean } & IntentTerms, at: Micros): Moved {
  const to: IntentPosition = {
    state: offered ? 'offered' : 'pending',
    reason: null,
    resolved_by: null,
    claimed_at: null,
    attempts: 0,
    open_attempt: null,
    doubts: [],
    tries: 0,
    waits_since: offered ? null : at,
    first_attempt_at: null,
    last_attempt_at: null,
  };
  if (!offered) return moved(to, { for: 'call', in_ms: 0 });
  return moved(to, expires_at === null ? null : { for: 'expiry', in_ms: untilMs(expires_at, at) });
}

/** The effect of an event on an intent. Pure and total: every state handles every event. */
export function step(intent: Intent, event: IntentEvent, context: StepContext): Step {
  switch (event.type) {
    case 'claimed':
      return intent.state === 'offered' ? claim(intent, context.at) : stays;
    case 'expired':
      return expire(intent);
    case 'cancelled':
      return cancel(intent);
    case 'gate_withheld':
      return instead(intent, context, () => reject(intent, event.reason, 'gate'));
    case 'held':
      return hold(intent, event, context.at);
    case 'budget_refused':
      return instead(intent, context, () => reject(intent, `budget_${event.reason}`, 'budget'));
    case 'protected':
      return isWaiting(intent) || intent.state === 'offered' ? reject(intent, event.reason, 'protection') : stays;
    case 'campaign_stopped':
      if (intent.state === 'offered') return reject(intent, 'campaign_stopped', 'cancellation');
      return instead(intent, context, () => reject(intent, 'campaign_stopped', 'cancellation'));
    case 'repeat_forbidden':
      return isRepeatable(intent) ? awaitProof(intent, intent.reason, context) : stays;
    case 'attempt_began':
      return isWaiting(intent) || isRepeatable(intent) ? begin(intent, event.answer_within_ms, context.at) : stays;
    case 'answered':
      return intent.open_attempt === event.attempt_no ? answered(intent, event.call, context) : stays;
    case 'attempt_lost':
      return isClosed(intent) ? stays : answered(intent, { outcome: 'unknown', reason: 'lost' }, context);
    case 'late_answer':
      return lateAnswer(intent, event.attempt_no, event.call, context);
    case 'event_reference':
      return intent.resolved_by === 'reference' ? stays : credit(intent, 'reference');
    case 'event_matched':
      return isInDoubt(intent) ? credit(intent, 'match') : stays;
    case 'match_withdrawn':
      return intent.resolved_by === 'match' ? doubtAgain(intent, context) : stays;
    case 'person':
      return decide(intent, event.verdict, context.at);
    case 'unknown_deadline':
      return isRepeatable(intent) ? handOver(intent, intent.reason ?? 'unknown') : stays;
    default:
      return event satisfies never;
  }
}

function isClosed({ open_attempt }: IntentPosition): boolean {
  return open_attempt === null;
}

/** To be credited, and certainly not credited yet. */
function isWaiting(intent: IntentPosition): boolean {
  return (intent.state === 'pending' || intent.state === 'retry') && isClosed(intent);
}

function isRepeatable(intent: IntentPosition): boolean {
  return intent.state === 'unknown' && isClosed(intent);
}

function isInDoubt({ state }: IntentPosition): boolean {
  return state === 'unknown' || state === 'needs_person';
}

function isEnded({ state }: IntentPosition): boolean {
  return state === 'credited' || state === 'rejected';
}

/* Transitions to the final states, to a person, and to unknown. */

function credit(intent: Intent, by: ResolvedBy): Moved {
  const to = { ...intent, state: 'credited' as const, reason: null, resolved_by: by, waits_since: null };
  return { ...moved(to, isClosed(intent) ? null : 'kept'), reservation: 'spent' };
}

function reject(intent: Intent, reason: string, by: ResolvedBy): Moved {
  const to = { ...intent, state: 'rejected' as const, reason, resolved_by: by, waits_since: null };
  return { ...moved(to, null), reservation: 'released' };
}

function handOver(intent: Intent, reason: string): Moved {
  return moved({ ...intent, state: 'needs_person', reason, resolved_by: null }, null);
}

/** Unknown: only a bonus event, a late answer or a person can settle it. */
function awaitProof(intent: Intent, reason: string | null, { at }: StepContext): Moved {
  return unknown(intent, reason, { for: 'deadline', in_ms: untilDeadlineMs(intent, at) });
}

function unknown(intent: Intent, reason: string | null, due: Moved['due']): Moved {
  return moved({ ...intent, state: 'unknown', reason, resolved_by: null, waits_since: null }, due);
}

function moved({ ...position }: IntentPosition & Partial<IntentTerms>, due: Moved['due']): Moved {
  delete position.expires_at;
  return { result: 'moved', to: position, due, reservation: null };
}

function untilMs(moment: Micros, at: Micros): number {
  return Math.max(0, Math.ceil((moment - at) / 1_000));
}

function untilDeadlineMs({ last_attempt_at }: IntentPosition, at: Micros): number {
  return untilMs((last_attempt_at ?? at) + unknownFor, at);
}

function waitedTooLong({ waits_since }: IntentPosition, at: Micros): boolean {
  return waits_since !== null && at - waits_since >= longestWait;
}

/* Before a call. */

function claim(intent: Intent, at: Micros): Moved {
  if (intent.expires_at !== null && at >= intent.expires_at) return reject(intent, 'expired', 'expiry');
  return moved({ ...intent, state: 'pending', claimed_at: at, waits_since: at }, { for: 'call', in_ms: 0 });
}

/** A claim made in time stays valid, however long the operator is unavailable: only unclaimed intents expire. */
function expire(intent: Intent): Step {
  const expires = intent.state === 'offered' || (isWaiting(intent) && canExpire(intent));
  return expires ? reject(intent, 'expired', 'expiry') : stays;
}

function canExpire({ claimed_at, attempts, waits_since, expires_at }: Intent): boolean {
  if (claimed_at !== null || expires_at === null || waits_since === null) return false;
  // An explicit retry overrides the expiry. An intent that was never tried may have been requested too late.
  return attempts === 0 || waits_since < expires_at;
}

/** Whether it is too late to begin the credit. */
export function isOverdue(intent: Intent, at: Micros): boolean {
  return isWaiting(intent) && canExpire(intent) && intent.expires_at !== null && at >= intent.expires_at;
}

function cancel(intent: Intent): Step {
  if (isWaiting(intent) || intent.state === 'offered') return reject(intent, 'cancelled', 'cancellation');
  if (!isClosed(intent)) return refused('call_under_way');
  if (intent.state === 'credited') return refused('already_credited');
  if (intent.state === 'rejected') return intent.resolved_by === 'cancellation' ? stays : refused('already_rejected');
  return refused('may_have_credited');
}

/** Handles events that replace a call. An unknown intent is then not repeated, and continues to wait for its proof. */
function instead(intent: Intent, context: StepContext, waiting: () => Step): Step {
  if (isWaiting(intent)) return waiting();
  return isRepeatable(intent) ? awaitProof(intent, intent.reason, context) : stays;
}

function hold(intent: Intent, { reason, ask_again_ms }: { reason: string; ask_again_ms: number }, at: Micros): Step {
  if (isWaiting(intent)) {
    if (waitedTooLong(intent, at)) return reject(intent, reason, 'retries');
    return moved({ ...intent, reason }, { for: 'call', in_ms: ask_again_ms });
  }
  if (!isRepeatable(intent)) return stays;
  const left = untilDeadlineMs(intent, at);
  return moved(intent, left > ask_again_ms ? { for: 'call', in_ms: ask_again_ms } : { for: 'deadline', in_ms: left });
}

function begin(intent: Intent, answerWithinMs: number, at: Micros): Moved {
  const attempts = intent.attempts + 1;
  const first_attempt_at = intent.first_attempt_at ?? at;
  const to = { ...intent, attempts, open_attempt: attempts, first_attempt_at, last_attempt_at: at };
  return moved(to, { for: 'answer', in_ms: answerWithinMs });
}

/* After a call. */

function answered(open: Intent, call: CallOutcome, context: StepContext): Step {
  const { open_attempt } = open;
  // Repeats of an unknown intent count from 1; the call that made it unknown is not a repeat.
  const tries = open.state === 'unknown' ? open.tries + 1 : 0;
  const intent = { ...open, open_attempt: null };
  const doubts = open_attempt === null ? open.doubts : [...open.doubts, open_attempt];
  // A stronger proof arrived before the answer: the call is closed, and the intent keeps its final state.
  if (isEnded(intent)) return moved(call.outcome === 'unknown' ? { ...intent, doubts } : intent, null);
  switch (call.outcome) {
    case 'credited':
      return credit(intent, 'answer');
    case 'unknown':
      return doubt({ ...intent, doubts, tries }, call.reason, context);
    case 'rejected':
      // An answer to a repeat says nothing about the earlier call: an operator may check the player before the key.
      if (isDoubted(intent)) return awaitProof(intent, 'rejected_in_doubt', context);
      return reject(intent, call.reason, 'answer');
    case 'retry':
      return isDoubted(intent) ? doubt({ ...intent, tries }, call.reason, context) : retry(intent, call, context);
    default:
      return call satisfies never;
  }
}

function isDoubted({ doubts }: IntentPosition): boolean {
  return doubts.length > 0;
}

function retry(intent: Intent, call: Extract<CallOutcome, { outcome: 'retry' }>, { at, random }: StepContext): Moved {
  // The intent is rejected and not given to a person, because no call did anything, so there is nothing to find out. A caller who still
  // wants the bonus must request it again.
  if (waitedTooLong(intent, at)) return reject(intent, call.reason, 'retries');
  const tries = intentLadder.triesAfter(intent, call.reason);
  const in_ms = intentLadder.delayMs(call.reason, tries, { random, retry_after_ms: call.retry_after_ms });
  return moved({ ...intent, state: 'retry', reason: call.reason, tries }, { for: 'call', in_ms });
}

/** The intent becomes unknown, and is repeated with the same key if that is harmless. */
function doubt(intent: Intent, reason: string, context: StepContext): Moved {
  const repeatIn = context.idempotent ? repeatDelayMs(intent.tries, context.random) : null;
  if (repeatIn === null) return awaitProof(intent, reason, context);
  return unknown(intent, reason, { for: 'call', in_ms: repeatIn });
}

/**
 * A call that had counted as lost reports its outcome late. If it did nothing and no other call is in doubt, the intent moves
 * to where it would be if the call had answered in time.
 */
function lateAnswer(intent: Intent, attempt: number, call: CallOutcome, context: StepContext): Step {
  if (call.outcome === 'credited') {
    const isProven = intent.state === 'credited' && intent.resolved_by !== 'match' && intent.resolved_by !== 'person';
    return isProven ? stays : credit(intent, 'late_answer');
  }
  // No longer in doubt: a person has decided in the meantime.
  if (call.outcome === 'unknown' || !intent.doubts.includes(attempt)) return stays;
  const known = { ...intent, doubts: intent.doubts.filter((one) => one !== attempt) };
  if (isDoubted(known) || !isClosed(known)) return moved(known, 'kept');
  if (known.resolved_by === 'match') return handOver(known, 'answer_against_match');
  if (!isInDoubt(known)) return moved(known, 'kept');
  if (call.outcome === 'rejected') return reject(known, call.reason, 'late_answer');
  return retry({ ...known, tries: 0, waits_since: context.at }, call, context);
}

function doubtAgain(intent: Intent, context: StepContext): Moved {
  const again = isClosed(intent)
    ? awaitProof(intent, 'match_withdrawn', context)
    : unknown(intent, 'match_withdrawn', 'kept');
  return { ...again, reservation: 'reserved' };
}

function decide(intent: Intent, verdict: PersonVerdict, at: Micros): Step {
  if (!isClosed(intent)) return refused('call_under_way');
  if (intent.state === 'credited') return verdict === 'credited' ? stays : refused('already_credited');
  if (intent.state === 'rejected') return verdict === 'give_up' ? stays : refused('already_rejected');
  if (!isInDoubt(intent)) return refused('not_in_doubt');
  if (verdict === 'credited') return credit(intent, 'person');
  const known = { ...intent, doubts: [] };
  if (verdict === 'give_up') return reject(known, 'not_credited', 'person');
  const to = { ...known, state: 'pending' as const, reason: 'try_again', tries: 0, waits_since: at };
  return moved(to, { for: 'call', in_ms: 0 });
}
