import type { DecimalText, Micros } from '@croupier/contracts';
import type { MessageOrder } from '../channels/index.ts';

/*
 * A bulk action: one message, or one offer, to each member of a segment.
 *
 *   action   ordered --> gathering ------ every member listed ------> running ------ every player has an outcome ------> done
 *                            |                                          |
 *                            '----------------- cancel -----------------'--> cancelled
 *
 *   player   listed --- turn --> sent       the channel accepted the message, or the offer exists
 *              |                 held       the channel accepted it, and keeps it until enough is known about the player
 *              |                 withheld   the gate, or the channel, refused; see the reason
 *              |                 skipped    no longer a member
 *              |                 failed     it cannot be sent to this player; see the reason
 *              '--- an offer that the gate holds, or quiet hours --> waiting --- next turn --> as above
 *
 *   A message that is still unsent when the action is cancelled: sent or held --> withheld, with the reason bulk_cancelled (withdraw.ts).
 */
export const actionStates = ['gathering', 'running', 'done', 'cancelled'] as const;
export type ActionState = (typeof actionStates)[number];

export const playerStates = ['listed', 'waiting', 'sent', 'held', 'withheld', 'skipped', 'failed'] as const;
export type PlayerState = (typeof playerStates)[number];

export type Does = MessageDoes | OfferDoes;

export interface MessageDoes {
  kind: 'message';
  channel: MessageOrder['channel'];
  purpose: MessageOrder['purpose'];
  says: MessageOrder['says'];
  campaign_id: string | null;
  /** Products of the message, such as casino. Market policies read them. */
  products: readonly string[];
  expires_at: Micros | null;
}

export interface OfferDoes {
  kind: 'offer';
  bonus_code: string;
  /** For funds, with the currency. Null for a bonus without an amount. */
  amount: DecimalText | null;
  currency: string | null;
  /** The number of times that the bonus has to be wagered; null: the operator decides it. */
  wagering: number | null;
  products: readonly string[];
  /** The campaign whose budgets apply. */
  campaign_id: string | null;
  expires_at: Micros | null;
  note: string | null;
}

export interface BulkAction {
  action_id: number;
  brand_id: number;
  segment_id: number;
  segment_code: string;
  does: Does;
  per_second: number;
  created_at: Micros;
  created_by: string;
  cancelled_at: Micros | null;
  cancelled_by: string | null;
}

/** The campaign of the action's messages and offers, if the order contains none. */
export function campaignOf({ action_id, does }: Pick<BulkAction, 'action_id' | 'does'>): string {
  return does.campaign_id ?? `bulk-${action_id}`;
}

export const defaultPerSecond = 50;
export const mostPerSecond = 1_000;
