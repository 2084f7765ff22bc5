import type { PoolClient } from 'pg';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import { applyToLocked } from './apply.ts';
import type { AttemptDeps } from './attempt.ts';
import { endAttempt } from './attempt-store.ts';
import { lockOverdue, postponeOverdue, selectOverdue } from './claim-store.ts';
import type { BonusIntent } from './intent.ts';
import type { IntentEvent } from './machine.ts';
import type { DueFor } from './position.ts';

/** Maximum number of intents per round. The next round finds the rest. */
const maxBatch = 200;

/** How long an intent waits if it could not be moved, in milliseconds. Each failure is logged. */
const failedWaitMs = 60_000;

const eventOf: Record<Exclude<DueFor, 'call'>, IntentEvent> = {
  answer: { type: 'attempt_lost' },
  expiry: { type: 'expired' },
  deadline: { type: 'unknown_deadline' },
};

export type DueDeps = Pick<AttemptDeps, 'pool' | 'clock' | 'random'> & {
  /** The brand's idempotent_bonus. */
  isIdempotent(brandId: number): boolean;
};

/**
 * Handles everything that happens by time alone: calls of workers that never reported back are marked as lost, offers
 * expire, and unknown intents go to a person. Each intent has its own transaction, so that one that cannot be moved does not
 * block the others.
 */
export async function passTime(
  deps: DueDeps,
): Promise<{ moved: number; failures: { intent_id: string; error: unknown }[] }> {
  const overdue = await selectOverdue(deps.pool, maxBatch);
  const failures: { intent_id: string; error: unknown }[] = [];
  let moved = 0;
  for (const { intent_id } of overdue) {
    try {
      if (await passTimeOf(intent_id, deps)) moved++;
    } catch (error) {
      failures.push({ intent_id, error });
      if (isDatabaseAway(error)) break;
      // The intent is postponed, so that intents that can be moved come first. Otherwise 200 such intents would block the offers and lost
      // calls of every brand.
      await postponeOverdue(deps.pool, intent_id, failedWaitMs);
    }
  }
  return { moved, failures };
}

async function passTimeOf(intentId: string, deps: DueDeps): Promise<boolean> {
  return transaction(deps.pool, async (tx) => {
    const intent = await lockOverdue(tx, intentId);
    if (intent === null || intent.due_for === null || intent.due_for === 'call') return false;
    const at = deps.clock();
    if (intent.due_for === 'answer') await noteLost(tx, intent, at);
    const context = { at, idempotent: deps.isIdempotent(intent.brand_id), random: deps.random() };
    const step = await applyToLocked(tx, intent, eventOf[intent.due_for], context);
    if (step.result !== 'moved') throw new Error(`intent ${intentId} was due for ${intent.due_for} and did not change`);
    return true;
  });
}

async function noteLost(tx: PoolClient, { intent_id, open_attempt }: BonusIntent, at: number): Promise<void> {
  if (open_attempt === null) return;
  const detail = 'the process that made the call did not report its outcome';
  const end = {
    outcome: 'lost',
    reason: 'lost',
    detail,
    took_ms: null,
    ended_at: at,
    late: false,
    answer: null,
  } as const;
  await endAttempt(tx, { intent_id, attempt_no: open_attempt }, end);
}
