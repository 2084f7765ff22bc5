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
 * A channel is a way to reach a player. This is its interface for code that sends, recalls, protects or erases:
 *
 *   compose   checks and cleans the content. Pure.
 *   send      writes messages in the transaction of their cause, asks the gate there, and queues those that it allows. A channel that makes
 *             calls has a queue on the engine for outgoing calls (../outgoing), whose `begin` asks the gate again at the last moment.
 *   received  lists the reports about a message that may arrive later, as events through the ledger.
 *   protect   changes queued messages when a player's protection changes; in the transaction of the follower.
 *   endUnsent ends the messages of a cancelled order that are still unsent.
 *   recall    recalls a message if that is still possible; recallCampaign recalls those of a campaign, in portions.
 *   logout    removes what the next user of a device would see; in the transaction that ends the sessions.
 *   forget    removes what would still reach the player; in the transaction that closes an erasure.
 *   dueTimes  its queues, for the chore that watches the database's clock.
 *
 * Every channel passes testing/channels/channel.conformance.ts.
 */

/** Kinds of reports about a message. A channel lists those that it receives. */
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

/** Fields that messages of every channel have. */
export interface MessageTerms {
  brand_id: number;
  player_id: number;
  purpose: Exclude<Purpose, 'bonus'>;
  /** Null if it never expires. */
  expires_at: Micros | null;
  campaign_id: string | null;
  /** A repeated request with the same key creates no second message. Null: no key. */
  request_key: string | null;
  created_by: string;
  /**
   * The decision of the gate that allowed this contact earlier in the same transaction. Omitted: the gate decides when the message
   * is created.
   */
  allowed_by?: number | undefined;
}

/** States of site messages, sent messages and list entries: see notifications/notification.ts, email/message.ts and lists/entry.ts. */
export type MessageState = NotificationState | EmailState | EntryState;

/** The result of one request for a message. */
export interface MadeMessage {
  message_id: number;
  state: MessageState;
  /** Why it is held or withheld, and the decision of the gate. */
  reason: string | null;
  decision_id: number | null;
  /** The request was made before; this is the message of the first request. */
  repeated: boolean;
  /** Signals that the caller passes to `SignalSender.poke` after the commit. */
  signals: SiteSignal[];
}

/** Why unsent messages end, and who ends them. */
export interface UnsentEnding {
  reason: 'bulk_cancelled';
  by: string | null;
}

export interface Unsent {
  /** Messages that ended unsent for this reason, now or in an earlier call. */
  ended: number[];
  /** Messages whose call is in progress. If it fails, they end instead of waiting for another try (message-hold.ts). */
  sending: number[];
}

export interface RecallOrder {
  brand_id: number;
  message_id: number;
  by: string;
}

export interface RecalledMessage {
  state: MessageState;
  /** False if the message had already ended. */
  recalled: boolean;
  signals: SiteSignal[];
}

export interface CampaignRecallOrder {
  brand_id: number;
  campaign_id: string;
  requested_at: Micros;
  requested_by: string;
}

/** A recall of a campaign. A worker processes it in portions; the caller may process the first ones. */
export interface CampaignRecall {
  recall_id: number;
  /**
   * Processes the next portion, in its own transaction. @returns null if another process is working on it, or none is left
   */
  advance(deps: { pool: Pool; clock: Clock }): Promise<{ done: boolean; signals: SiteSignal[] } | null>;
}

/** The end of one session, or (if `sid_hash` is empty) of all sessions of the player. */
export interface SessionEnded {
  player_id: number;
  sid_hash: string;
  at: Micros;
}

/** Signals to send after the commit. */
export interface ChannelEffect {
  signals: SiteSignal[];
}

/** @typeParam Content the content of a message of this channel */
export interface PlayerChannel<Content extends object = never> {
  /** The name that gate requests, campaigns and the console use. */
  readonly name: Exclude<Channel, 'bonus'>;
  /** Marketing requires the consents of all these channels. The channel itself comes first. */
  readonly asks: readonly Channel[];
  readonly received: readonly ReceivedKind[];
  readonly dueTimes: readonly DueTimes[];
  /** Pure and idempotent. */
  compose(content: Content): { content: Content; errors: FieldError[] };
  /**
   * @returns one entry per message, in the order of the requests
   * @throws an error with the fields at fault if one cannot be sent as it is; then none of the batch is created
   */
  send(
    tx: PoolClient,
    gate: Pick<Gate, 'mayContact'>,
    messages: readonly (MessageTerms & Content)[],
    at: Micros,
  ): Promise<MadeMessage[]>;
  /**
   * Ends those of these messages that are still unsent: no provider has received them, no inbox shows them, and no exported list contains
   * them. The others do not change. If an earlier call may have arrived, the message becomes unknown, and is not returned.
   */
  endUnsent(tx: PoolClient, messageIds: readonly number[], ending: UnsentEnding, at: Micros): Promise<Unsent>;
  /** @returns null if there is no such message */
  recall(tx: PoolClient, order: RecallOrder, at: Micros): Promise<RecalledMessage | null>;
  /** @returns null if another channel recalls its messages: a push only announces a message in the inbox */
  recallCampaign(tx: PoolClient, order: CampaignRecallOrder): Promise<CampaignRecall | null>;
  protect(tx: PoolClient, transitions: readonly ProtectionTransition[], at: Micros): Promise<ChannelEffect>;
  logout(tx: PoolClient, ends: readonly SessionEnded[]): Promise<void>;
  forget(tx: PoolClient, playerIds: readonly number[], at: Micros): Promise<void>;
}
