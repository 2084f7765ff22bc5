import type { Pool } from 'pg';
import { onOneConnection } from '../database/index.ts';
import type { Channel } from '../gate/index.ts';
import { readConsent } from './calls/consent-store.ts';
import { channelOf } from './calls/create.ts';
import { callChannels } from './calls/message.ts';
import { type ChannelContents, playerChannels } from './registry.ts';

/** The channels that the gate has to allow for a message of this channel, at this brand. */
export async function gateChannelsOf(
  pool: Pool,
  brandId: number,
  name: keyof ChannelContents,
): Promise<readonly Channel[]> {
  const call = callChannels.find((one) => one === name);
  if (call === undefined) return playerChannels.asksOf(name);
  const consents = await onOneConnection(pool, (client) => readConsent(client, call, [brandId]));
  return [channelOf(call, consents.get(brandId))];
}
