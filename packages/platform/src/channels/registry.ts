import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Channel, Gate } from '../gate/index.ts';
import type { DueTimes } from '../operator/players/index.ts';
import type { ProtectionTransition } from '../operator/protection/index.ts';
import { operatorChannel, smsChannel, webhookChannel } from './calls/call-channels.ts';
import type { CallContents } from './calls/message.ts';
import type {
  CampaignRecall,
  CampaignRecallOrder,
  ChannelEffect,
  MadeMessage,
  MessageTerms,
  PlayerChannel,
  RecalledMessage,
  RecallOrder,
  SessionEnded,
  Unsent,
  UnsentEnding,
} from './channel.ts';
import type { EmailMessage } from './email/message.ts';
import { type EntryWords, postMailChannel, telephoneChannel } from './lists/list-channels.ts';
import type { NotificationContent } from './notifications/index.ts';
import { emailChannel, pushChannel, siteChannel } from './player-channels.ts';

/** The content of a message, by channel. */
export interface ChannelContents extends CallContents {
  site: NotificationContent;
  push: NotificationContent;
  email: EmailMessage;
  telephone: EntryWords;
  post_mail: EntryWords;
}

/** A channel with any kind of content. */
type AnyChannel = Omit<PlayerChannel, 'compose'>;

/** Protects, recalls and erases across all channels. A new channel is included as soon as it is registered. */
export class ChannelRegistry {
  readonly #channels: readonly AnyChannel[];

  constructor(channels: readonly AnyChannel[]) {
    const names = channels.map(({ name }) => name);
    if (new Set(names).size < names.length) throw new Error(`a channel is registered twice: ${names.join(', ')}`);
    this.#channels = channels;
  }

  get names(): string[] {
    return this.#channels.map(({ name }) => name);
  }

  /** The channels whose consents marketing through this channel requires. */
  asksOf(name: string): readonly Channel[] {
    return this.#named(name).asks;
  }

  get dueTimes(): DueTimes[] {
    return this.#channels.flatMap(({ dueTimes }) => dueTimes);
  }

  /** Sends through the channel with this name; see its `send`. */
  async send<Name extends keyof ChannelContents>(
    tx: PoolClient,
    gate: Pick<Gate, 'mayContact'>,
    name: Name,
    messages: readonly (MessageTerms & ChannelContents[Name])[],
    at: Micros,
  ): Promise<MadeMessage[]> {
    return (this.#named(name) as Pick<PlayerChannel<ChannelContents[Name]>, 'send'>).send(tx, gate, messages, at);
  }

  /** Ends messages of this channel that are still unsent; see its `endUnsent`. */
  endUnsent(
    tx: PoolClient,
    name: keyof ChannelContents,
    messageIds: readonly number[],
    ending: UnsentEnding,
    at: Micros,
  ): Promise<Unsent> {
    return this.#named(name).endUnsent(tx, messageIds, ending, at);
  }

  #named(name: string): AnyChannel {
    const channel = this.#channels.find((one) => one.name === name);
    if (channel === undefined) throw new Error(`the channel ${name} does not exist`);
    return channel;
  }

  /** Handler of the follower 'channels'. It runs in the transaction that deletes the deliveries of the transitions. */
  async protect(tx: PoolClient, transitions: readonly ProtectionTransition[], at: Micros): Promise<ChannelEffect> {
    const signals: ChannelEffect['signals'] = [];
    for (const channel of this.#channels) signals.push(...(await channel.protect(tx, transitions, at)).signals);
    return { signals };
  }

  /** @returns null if no channel has such a message */
  async recall(tx: PoolClient, order: RecallOrder, at: Micros): Promise<RecalledMessage | null> {
    for (const channel of this.#channels) {
      const recalled = await channel.recall(tx, order, at);
      if (recalled !== null) return recalled;
    }
    return null;
  }

  /** Orders the recall of everything that a campaign sent. @returns one recall per channel that stores its own messages */
  async recallCampaign(tx: PoolClient, order: CampaignRecallOrder): Promise<CampaignRecall[]> {
    const ordered: CampaignRecall[] = [];
    for (const channel of this.#channels) {
      const recall = await channel.recallCampaign(tx, order);
      if (recall !== null) ordered.push(recall);
    }
    return ordered;
  }

  /** Part of every logout, in its transaction. */
  async logout(tx: PoolClient, ends: readonly SessionEnded[]): Promise<void> {
    for (const channel of this.#channels) await channel.logout(tx, ends);
  }

  async forget(tx: PoolClient, playerIds: readonly number[], at: Micros): Promise<void> {
    for (const channel of this.#channels) await channel.forget(tx, playerIds, at);
  }
}

/** All channels. Messages come before devices, because that is the order in which their rows are locked. */
export const playerChannels = new ChannelRegistry([
  siteChannel,
  pushChannel,
  emailChannel,
  smsChannel,
  webhookChannel,
  operatorChannel,
  telephoneChannel,
  postMailChannel,
]);
