import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { createIntents } from '../actions/index.ts';
import type { Brand } from '../brands/index.ts';
import { type OrderDeps, orderMessage, type SiteSignal } from '../channels/index.ts';
import { type BulkAction, campaignOf, type MessageDoes, type OfferDoes } from './action.ts';
import type { DuePlayer, Outcome } from './store.ts';

export interface Effected {
  outcome: Outcome;
  signals: readonly SiteSignal[];
}

/** An offer that the gate holds is asked for again until this long after the order; then it is withheld. */
export const holdMicros = 24 * 3_600_000_000;

interface Of {
  brand: Brand;
  action: BulkAction;
  player: DuePlayer;
  at: Micros;
}

/**
 * What one player gets, under a key that is the action's and the player's: it is made once, or the player has no outcome yet.
 *
 * @throws what the channel or the intent says of a wrong order
 */
export function effect(tx: PoolClient, deps: OrderDeps, of: Of): Promise<Effected> {
  const { does } = of.action;
  return does.kind === 'message' ? message(tx, deps, of, does) : offer(tx, deps, of, does);
}

async function message(
  tx: PoolClient,
  deps: OrderDeps,
  { brand, action, player }: Of,
  { channel, purpose, says, expires_at }: MessageDoes,
): Promise<Effected> {
  const { player_id, user_id } = player;
  const { message_id, decision_id, state, reason, signals } = await orderMessage(tx, deps, {
    brand,
    player: { player_id, user_id },
    channel,
    purpose,
    says,
    campaign_id: campaignOf(action),
    request_key: keyOf(action),
    created_by: action.created_by,
    expires_at,
  });
  const outcome = state === 'withheld' || state === 'held' ? state : 'sent';
  const said = outcome === 'sent' ? '' : (reason ?? outcome);
  return { outcome: { ...ended(player_id, outcome, said), message_id, decision_id }, signals };
}

async function offer(
  tx: PoolClient,
  { gate }: OrderDeps,
  { action, player: { player_id }, at }: Of,
  { kind: _, campaign_id: __, ...terms }: OfferDoes,
): Promise<Effected> {
  const { brand_id, action_id, created_at, created_by } = action;
  const giveUpAt = created_at + holdMicros;
  const [decision] = await gate.mayContact(tx, [
    {
      brand_id,
      player_id,
      channel: 'bonus',
      purpose: 'bonus',
      cause: { kind: 'bulk', id: String(action_id) },
      expires_at: terms.expires_at === null ? giveUpAt : Math.min(giveUpAt, terms.expires_at),
    },
  ]);
  if (decision === undefined) throw new Error('the gate decided nothing');
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
  if (intent === undefined) throw new Error('no intent was made');
  return { outcome: { ...ended(player_id, 'sent', ''), intent_id: intent.intent_id, decision_id }, signals: [] };
}

/** Per player: a repeated order makes no second message, and no second offer. */
function keyOf({ action_id }: BulkAction): string {
  return `bulk ${action_id}`;
}

export function ended(player_id: number, state: Outcome['state'], reason: string): Outcome {
  return { player_id, state, reason, due_at: null, message_id: null, intent_id: null, decision_id: null };
}
