import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { forgetContacts } from '../../gate/index.ts';
import { type Settlement, settleReservations } from '../budgets/index.ts';
// This is not imported through the index of `resolution`, because the index imports the resolver, which applies events through this file.
import { lookBack } from '../resolution/request-store.ts';
import type { BonusIntent } from './intent.ts';
import { insertChange, lockIntent, updatePosition } from './intent-store.ts';
import { type IntentEvent, type IntentEventType, type Step, step } from './machine.ts';

export interface EventContext {
  at: Micros;
  /** The brand's setting idempotent_bonus; only calls and their answers need it. */
  idempotent?: boolean;
  random?: number;
  /** Who did it, if a person did, and why. */
  actor?: string;
  note?: string | null;
  /** The bonus event that proves it, if any; stored with the change. */
  proof?: Record<string, unknown>;
}

/**
 * After these events, the bonus events of the player are assigned to intents again. The bonus event of an intent may have arrived before
 * the intent became unknown. And a bonus event that proves this intent must not prove another one.
 */
const endsACall: ReadonlySet<IntentEventType> = new Set(['answered', 'attempt_lost', 'late_answer', 'person']);

/** Before these events, the gate has made its final decision and ended its holds itself. */
const decidedByGate: ReadonlySet<IntentEventType> = new Set(['gate_withheld', 'protected', 'answered']);

/** The effect of an event on an intent; null if there is no such intent. */
export type Applied = { step: Step; before: BonusIntent } | null;

/**
 * Applies an event to an intent: locks it, runs the machine, writes the new position, and settles its budget, in the caller's
 * transaction. For several intents in one transaction use `applyIntentEvents`.
 */
export async function applyIntentEvent(
  tx: PoolClient,
  intentId: string,
  event: IntentEvent,
  context: EventContext,
): Promise<Applied> {
  const before = await lockIntent(tx, intentId);
  return before === null ? null : { before, step: await applyToLocked(tx, before, event, context) };
}

export interface AskedEvent extends Pick<EventContext, 'proof'> {
  intent_id: string;
  event: IntentEvent;
}

/**
 * Applies events of several intents in one transaction: locks the intents in the order of their ids, and then all their budgets
 * in one statement.
 */
export async function applyIntentEvents(
  tx: PoolClient,
  asked: readonly AskedEvent[],
  context: EventContext,
): Promise<{ moved: number }> {
  const settlements: Settlement[] = [];
  let moved = 0;
  for (const { intent_id, event, proof } of asked.toSorted((a, b) => (a.intent_id < b.intent_id ? -1 : 1))) {
    const before = await lockIntent(tx, intent_id);
    if (before === null) continue;
    const step = await moveLocked(tx, before, event, proof === undefined ? context : { ...context, proof });
    if (step.result === 'moved') moved++;
    settlements.push(...settlementOf(before, step));
  }
  await settleReservations(tx, settlements);
  return { moved };
}

/** Applies an event to one intent that the transaction has already locked. */
export async function applyToLocked(
  tx: PoolClient,
  before: BonusIntent,
  event: IntentEvent,
  context: EventContext,
): Promise<Step> {
  const moved = await moveLocked(tx, before, event, context);
  await settleReservations(tx, settlementOf(before, moved));
  return moved;
}

/** What to settle after a step. The transaction settles once, after it has moved its last intent. */
export function settlementOf({ intent_id }: Pick<BonusIntent, 'intent_id'>, moved: Step): Settlement[] {
  return moved.result === 'moved' && moved.reservation !== null ? [{ intent_id, state: moved.reservation }] : [];
}

/** Does everything except the budgets, for callers that move many intents, page by page. */
export async function moveLocked(
  tx: PoolClient,
  before: BonusIntent,
  event: IntentEvent,
  { at, idempotent = false, random = Math.random(), actor, note, proof }: EventContext,
): Promise<Step> {
  const moved = step(before, event, { at, idempotent, random });
  if (moved.result !== 'moved') return moved;
  await updatePosition(tx, before, moved, at);
  const { intent_id, player_id } = before;
  const { state, reason } = moved.to;
  if (
    state !== before.state ||
    moved.to.resolved_by !== before.resolved_by ||
    reason !== before.reason ||
    actor !== undefined
  ) {
    const by = { actor: actor ?? null, note: note ?? null, proof: proof ?? null };
    await insertChange(tx, { intent_id, player_id, at, event: event.type, state, reason, ...by });
  }
  if (endsACall.has(event.type)) await lookBack(tx, [before]);
  const isOver = state === 'rejected' || state === 'credited';
  if (isOver && !decidedByGate.has(event.type)) await forgetContacts(tx, [{ kind: 'intent', id: intent_id }]);
  return moved;
}
