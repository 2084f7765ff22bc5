import type { FieldError, Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Clock } from '../clock.ts';
import type { Channel, Gate, Purpose } from '../gate/index.ts';
import type { DueTimes } from '../operator/players/index.ts';
import type { ProtectionTransition } from '../operator/protection/index.ts';
import type { EmailState } from './email/message.ts';
import type { EntryState } from './lists/entry.ts';
import type { NotificationState } from './notifications/notification.ts';
import type { SiteSignal } from './signals/signal.ts';

/*
 * What a channel is: a way to a player, seen from whoever asks for a message, protects a player, recalls or erases.
 *
 *   compose   checks and cleans what is to be said. Pure.
 *   send      writes messages in the transaction of their cause, asks the gate there, and queues what it allows. A channel that calls somebody
 *             has a queue on the engine for outgoing calls (../outgoing), whose `begin` asks the gate once more, at the last moment.
 *   received  what may come back of a message later, through the ledger as events.
 *   protect   what becomes of queued messages when a player's protection changes; in the transaction of the follower.
 *   recall    takes a message back, as far as it can be taken; recallCampaign takes back those of a campaign, in portions.
 *   logout    takes away what the next person at a device would see; in the transaction that ends the sessions.
 *   forget    takes away what would still reach the player; in the transaction that closes an erasure.
 *   dueTimes  its queues, for the watch over the database's clock.
 *
 * Every channel passes testing/channels/channel.conformance.ts.
 */

/** What can come back of a message. A channel names those that it learns. */
export const receivedKinds = [
  'delivered',
  'shown',
  'opened',
  'read',
  'clicked',
  'closed',
  'deleted',
  'bounced',
  'complained',
  'unsubscribed',
  'replied',
  'called',
] as const;
export type ReceivedKind = (typeof receivedKinds)[number];

/** What every message has, whatever its channel. */
export interface MessageTerms {
  brand_id: number;
  player_id: number;
  purpose: Exclude<Purpose, 'bonus'>;
  /** Null: never. */
  expires_at: Micros | null;
  campaign_id: string | null;
  /** A repeated request with the same key makes no second message. Null: none. */
  request_key: string | null;
  created_by: string;
}

/** Of messages on the site, and of those that are sent: docs at notifications/notification.ts and email/message.ts. */
export type MessageState = NotificationState | EmailState | EntryState;

/** One message that was asked for. */
export interface MadeMessage {
  message_id: number;
  state: MessageState;
  /** Why it is held or withheld, and the decision of the gate that says so. */
  reason: string | null;
  decision_id: number | null;
  /** The request had been made before; this is what it made then. */
  repeated: boolean;
  /** To poke the sender of signals with, after the commit. */
  signals: SiteSignal[];
}

export interface RecallOrder {
  brand_id: number;
  message_id: number;
  by: string;
}

export interface RecalledMessage {
  state: MessageState;
  /** False: it was at its end already. */
  recalled: boolean;
  signals: SiteSignal[];
}

export interface CampaignRecallOrder {
  brand_id: number;
  campaign_id: string;
  requested_at: Micros;
  requested_by: string;
}

/** A recall of a campaign that was ordered. A worker does its portions; whoever ordered it may do the first ones. */
export interface CampaignRecall {
  recall_id: number;
  /** Does the next portion, in a transaction of its own. @returns null when another process is at it, or none is left. */
  advance(deps: { pool: Pool; clock: Clock }): Promise<{ done: boolean; signals: SiteSignal[] } | null>;
}

/** The end of one session, or (with an empty `sid_hash`) of all sessions of the player. */
export interface SessionEnded {
  player_id: number;
  sid_hash: string;
  at: Micros;
}

/** What is to be told after the commit. */
export interface ChannelEffect {
  signals: SiteSignal[];
}

/** @typeParam Content what a message of this channel says */
export interface PlayerChannel<Content extends object = never> {
  /** As in requests to the gate, in campaigns and in the console. */
  readonly name: Exclude<Channel, 'bonus'>;
  /** Channels whose consents marketing needs, all of them: its own first. */
  readonly asks: readonly Channel[];
  readonly received: readonly ReceivedKind[];
  readonly dueTimes: readonly DueTimes[];
  /** Pure; composing what was composed changes nothing. */
  compose(content: Content): { content: Content; errors: FieldError[] };
  /**
   * @returns one entry per message, in their order.
   * @throws an error with the fields at fault when one cannot be sent as it is: nothing of the batch is made then
   */
  send(
    tx: PoolClient,
    gate: Pick<Gate, 'mayContact'>,
    messages: readonly (MessageTerms & Content)[],
    at: Micros,
  ): Promise<MadeMessage[]>;
  /** @returns null when it has no such message. */
  recall(tx: PoolClient, order: RecallOrder, at: Micros): Promise<RecalledMessage | null>;
  /** @returns null when another channel takes its messages back: a push is the bell of a message in the inbox. */
  recallCampaign(tx: PoolClient, order: CampaignRecallOrder): Promise<CampaignRecall | null>;
  protect(tx: PoolClient, transitions: readonly ProtectionTransition[], at: Micros): Promise<ChannelEffect>;
  logout(tx: PoolClient, ends: readonly SessionEnded[]): Promise<void>;
  forget(tx: PoolClient, playerIds: readonly number[], at: Micros): Promise<void>;
}
