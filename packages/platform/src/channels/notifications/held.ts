import type { Pool, PoolClient } from 'pg';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import { forgetContacts, type Gate } from '../../gate/index.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { announce } from './announce.ts';
import { type Allowance, askGate } from './ask-gate.ts';
import { type HeldResult, lockDueHeld, postponeHeld, settleHeld } from './held-store.ts';
import type { NotificationRow } from './notification.ts';

/** Messages per batch. A request to the gate takes about ten statements, regardless of the number of messages. */
const maxBatch = 200;
/** How long a message waits after its request to the gate failed. Each failure is logged. */
const failedWaitMs = 60_000;

export interface HeldDeps {
  pool: Pool;
  gate: Pick<Gate, 'mayContact'>;
  clock: Clock;
}

export interface HeldRound {
  asked: number;
  live: number;
  withheld: number;
  dropped: number;
  signals: SiteSignal[];
  failures: { message_id: number; error: unknown }[];
}

/**
 * Asks the gate again for the held messages that are due. A batch that fails is repeated one by one, and a message that fails
 * alone waits a minute, so that it does not block others.
 */
export async function askAgain(deps: HeldDeps): Promise<HeldRound> {
  try {
    return await transaction(deps.pool, (tx) => askDue(tx, deps, maxBatch));
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    return oneByOne(deps);
  }
}

async function oneByOne(deps: HeldDeps): Promise<HeldRound> {
  const sum: HeldRound = { asked: 0, live: 0, withheld: 0, dropped: 0, signals: [], failures: [] };
  for (let left = maxBatch; left > 0; left--) {
    const taken: number[] = [];
    try {
      const one = await transaction(deps.pool, (tx) => askDue(tx, deps, 1, (ids) => taken.push(...ids)));
      if (one.asked === 0) break;
      for (const name of ['asked', 'live', 'withheld', 'dropped'] as const) sum[name] += one[name];
      sum.signals.push(...one.signals);
    } catch (error) {
      const [message_id] = taken;
      if (isDatabaseAway(error) || message_id === undefined) throw error;
      await postponeHeld(deps.pool, message_id, failedWaitMs);
      sum.failures.push({ message_id, error });
    }
  }
  return sum;
}

async function askDue(
  tx: PoolClient,
  { gate, clock }: HeldDeps,
  limit: number,
  onTaken: (ids: number[]) => void = () => {},
): Promise<HeldRound> {
  const due = await lockDueHeld(tx, limit);
  onTaken(due.map(({ message_id }) => message_id));
  const wanted = due.filter(({ cancelled }) => cancelled === null);
  const allowances = await askGate(tx, gate, wanted);
  const at = clock();
  const results = wanted.flatMap((row, place): HeldResult[] => {
    const allowance = allowances[place];
    return allowance === undefined ? [] : [resultOf(row, allowance, at)];
  });
  for (const { message_id, cancelled } of due)
    if (cancelled !== null)
      results.push({ message_id, state: 'dropped', reason: cancelled, decision_id: null, ask_again_ms: null });
  await settleHeld(tx, results, at);
  const isLive = new Set(results.flatMap(({ state, message_id }) => (state === 'live' ? [message_id] : [])));
  const over = results.filter(({ state }) => state === 'withheld' || state === 'dropped');
  // One channel of a push may still be held when the other is withheld.
  await forgetContacts(
    tx,
    over.map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
  );
  const signals = await announce(
    tx,
    due.filter(({ message_id }) => isLive.has(message_id)),
    at,
  );
  const count = (state: HeldResult['state']) => results.filter((result) => result.state === state).length;
  return {
    asked: due.length,
    live: count('live'),
    withheld: count('withheld'),
    dropped: count('dropped'),
    signals,
    failures: [],
  };
}

/**
 * Pure. The gate decides what may be shown, not whether it is still useful: messages that have expired in the meantime are
 * dropped.
 */
function resultOf({ message_id, expires_at }: NotificationRow, allowance: Allowance, at: number): HeldResult {
  const { decision_id, reason } = allowance;
  const left = expires_at === null ? Number.POSITIVE_INFINITY : expires_at - at;
  if (allowance.state === 'withheld') {
    const isLate = left <= 0 && (reason === 'expired_while_unknown' || reason === 'unknown_player');
    return { message_id, decision_id, reason, state: isLate ? 'dropped' : 'withheld', ask_again_ms: null };
  }
  if (left <= 0) return { message_id, decision_id, reason: 'expired', state: 'dropped', ask_again_ms: null };
  if (allowance.state === 'live') return { message_id, decision_id, reason: null, state: 'live', ask_again_ms: null };
  const ask_again_ms = Math.ceil(Math.min(allowance.ask_again_ms, left / 1_000));
  return { message_id, decision_id, reason, state: 'held', ask_again_ms };
}
