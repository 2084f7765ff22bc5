import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { DueTimes } from '../operator/players/index.ts';
import type { ProtectionTransition } from '../operator/protection/index.ts';
import type { ChannelEffect, PlayerChannel, RecalledMessage, RecallOrder } from './channel.ts';
import { pushChannel, siteChannel } from './player-channels.ts';

/** What concerns every channel, whatever its messages say. */
type AnyChannel = Omit<PlayerChannel, 'compose' | 'send'>;

/** Does for all channels what is not the matter of one: so a new channel is protected, recalled and erased once it is registered. */
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

  get dueTimes(): DueTimes[] {
    return this.#channels.flatMap(({ dueTimes }) => dueTimes);
  }

  /** Handler of the follower 'channels', in the transaction that ends the deliveries. */
  async protect(tx: PoolClient, transitions: readonly ProtectionTransition[], at: Micros): Promise<ChannelEffect> {
    const signals: ChannelEffect['signals'] = [];
    for (const channel of this.#channels) signals.push(...(await channel.protect(tx, transitions, at)).signals);
    return { signals };
  }

  /** @returns null when no channel has such a message. */
  async recall(tx: PoolClient, order: RecallOrder, at: Micros): Promise<RecalledMessage | null> {
    for (const channel of this.#channels) {
      const recalled = await channel.recall(tx, order, at);
      if (recalled !== null) return recalled;
    }
    return null;
  }

  async forget(tx: PoolClient, playerIds: readonly number[], at: Micros): Promise<void> {
    for (const channel of this.#channels) await channel.forget(tx, playerIds, at);
  }
}

/** All there are. Messages before devices: that is the order in which their rows are locked. */
export const playerChannels = new ChannelRegistry([siteChannel, pushChannel]);
