import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { createIntents } from '../actions/index.ts';
import type { OrderDeps, SiteSignal } from '../channels/index.ts';
import { isDatabaseAway, storableStart } from '../database/index.ts';
import { type BulkAction, campaignOf, type OfferDoes } from './action.ts';
import type { DuePlayer, Outcome } from './store.ts';

export interface Effected {
  outcome: Outcome;
  signals: readonly SiteSignal[];
}

/** A contact that the gate holds is retried until this long after the order. Then it is withheld. */
export const holdMicros = 24 * 3_600_000_000;

/** When to give up on a player whose state is still unknown. */
export function giveUpAt({ created_at, does }: BulkAction): Micros {
  return Math.min(created_at + holdMicros, does.expires_at ?? Number.POSITIVE_INFINITY);
}

interface Of {
  action: BulkAction;
  player: DuePlayer;
  at: Micros;
}

/**
 * Asks the gate, and makes an offer if it is allowed. Each player has one key per action, so the offer is made only once. If
 * the gate holds the offer, the player waits.
 *
 * @throws the intent's error for an invalid order
 */
export async function makeOffer(
  tx: PoolClient,
  { gate }: Pick<OrderDeps, 'gate'>,
  { action, player: { player_id }, at }: Of,
  { kind: _, campaign_id: __, ...terms }: OfferDoes,
): Promise<Effected> {
  const { brand_id, action_id, created_by } = action;
  const [decision] = await gate.mayContact(tx, [
    {
      brand_id,
      player_id,
      channel: 'bonus',
      purpose: 'bonus',
      cause: { kind: 'bulk', id: String(action_id) },
      expires_at: giveUpAt(action),
    },
  ]);
  if (decision === undefined) throw new Error('the gate returned no decision');
  const { decision_id } = decision;
  if (decision.outcome === 'held') {
    const due_at = at + decision.ask_again_ms * 1_000;
    return { outcome: { ...ended(player_id, 'waiting', decision.reason), due_at, decision_id }, signals: [] };
  }
  if (decision.outcome === 'withheld')
    return { outcome: { ...ended(player_id, 'withheld', decision.reason), decision_id }, signals: [] };
  const [intent] = await createIntents(
    tx,
    [
      {
        ...terms,
        brand_id,
        player_id,
        offer: true,
        activity_id: campaignOf(action),
        action_id: `bulk-${action_id}`,
        created_by,
        request_key: keyOf(action),
      },
    ],
    at,
  );
  if (intent === undefined) throw new Error('no intent was created');
  return { outcome: { ...ended(player_id, 'sent', ''), intent_id: intent.intent_id, decision_id }, signals: [] };
}

/** One key per player, so a repeated order sends no second message and makes no second offer. */
export function keyOf({ action_id }: BulkAction): string {
  return `bulk ${action_id}`;
}

export function ended(player_id: number, state: Outcome['state'], reason: string): Outcome {
  return { player_id, state, reason, due_at: null, message_id: null, intent_id: null, decision_id: null };
}

/** Returns an error of one player's message as the reason of that player's outcome. The other players of the portion are not affected. */
export async function orFailed<T>(tx: PoolClient, work: () => Promise<T>): Promise<{ made: T } | { reason: string }> {
  await tx.query('savepoint player');
  try {
    const made = await work();
    await tx.query('release savepoint player');
    return { made };
  } catch (error) {
    if (isDatabaseAway(error) || isRepeatable(error)) throw error;
    await tx.query('rollback to savepoint player');
    return { reason: failureText(error) };
  }
}

const longestFailure = 500;

/**
 * The message of an error, as PostgreSQL can store it. It may contain data of the player. If PostgreSQL refused it, no outcome of the portion
 * could be stored, and the action would repeat the portion forever.
 */
export function failureText(error: unknown): string {
  return storableStart(error instanceof Error ? error.message : String(error), longestFailure);
}

/** After a deadlock or a serialization failure the portion is retried. */
function isRepeatable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '40P01' || code === '40001';
}
