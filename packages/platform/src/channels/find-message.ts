import type { Pool } from 'pg';
import type { Channel } from '../gate/index.ts';
import { storedProviderId } from './calls/provider-id.ts';

/** A message about which a report arrived. */
export interface FoundMessage {
  message_id: number;
  player_id: number;
  user_id: string;
  channel: Exclude<Channel, 'bonus'> | 'webhook' | 'operator';
  campaign_id: string | null;
  /**
   * The key of the address or number to which it was sent (Vault.addressKey); null before it was sent, and for other channels.
   */
  address_key: Buffer | null;
}

const all = `(
  select message_id, brand_id, player_id, 'email' as channel, campaign_id, address_key, null::text as provider_id from email_message
  union all
  select message_id, brand_id, player_id, channel, campaign_id, address_key, provider_id from called_message
  union all
  select message_id, brand_id, player_id, channel, campaign_id, null, null from list_entry)`;

/**
 * @param channel of the provider that reports. Ids of different providers can be equal, and some providers use an id again, so that the
 * newest message is meant
 * @returns null if the brand's channel has no such message, or its player was erased
 */
export async function findMessage(
  pool: Pool,
  brandId: number,
  channel: string,
  by: { message_id: number } | { provider_id: string },
): Promise<FoundMessage | null> {
  const [column, value] =
    'message_id' in by ? ['message_id', by.message_id] : ['provider_id', storedProviderId(by.provider_id)];
  const { rows } = await pool.query<FoundMessage>({
    name: `find_message_by_${column}`,
    text: `select m.message_id, m.player_id, p.user_id, m.channel, m.campaign_id, m.address_key
             from ${all} m join player p on p.player_id = m.player_id and p.erased_at is null
            where m.brand_id = $1 and m.channel = $3 and m.${column} = $2 order by m.message_id desc limit 1`,
    values: [brandId, value, channel],
  });
  return rows[0] ?? null;
}

/** The players to whom an SMS was sent at this number (Vault.addressKey), whatever their number is now. At most 50. */
export async function playersWrittenTo(pool: Pool, brandId: number, addressKey: Buffer): Promise<number[]> {
  const { rows } = await pool.query<{ player_id: number }>({
    name: 'players_written_to',
    text: `select distinct player_id from called_message where brand_id = $1 and address_key = $2 and channel = 'sms' limit 50`,
    values: [brandId, addressKey],
  });
  return rows.map(({ player_id }) => player_id);
}

/**
 * Whether calls of a brand's channel are under way, whose provider may already know their message while we do not know its id. Few messages
 * are in this state, and an index contains only them.
 */
export async function isSending(pool: Pool, brandId: number, channel: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'is_channel_sending',
    text: `select from called_message where state = 'sending' and brand_id = $1 and channel = $2 limit 1`,
    values: [brandId, channel],
  });
  return rowCount !== 0;
}

/** Where a message is shown: in its channel, or on the page of its player. */
export interface MessageWhereabouts {
  channel: FoundMessage['channel'];
  /** The operator's id of the player; null if the player was erased. */
  user_id: string | null;
}

/** The messages of a brand with these ids, on all channels, by message_id. Deleted messages are left out. */
export async function findMessages(
  pool: Pool,
  brandId: number,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, MessageWhereabouts>> {
  if (messageIds.length === 0) return new Map();
  const { rows } = await pool.query<MessageWhereabouts & { message_id: number }>(
    `select m.message_id, m.channel, case when p.erased_at is null then p.user_id end as user_id
       from (select message_id, brand_id, player_id, channel from notification
             union all
             select message_id, brand_id, player_id, channel from ${all} a) m
       left join player p using (player_id)
      where m.brand_id = $1 and m.message_id = any($2::bigint[])`,
    [brandId, messageIds],
  );
  return new Map(rows.map(({ message_id, ...where }) => [message_id, where]));
}

/** The last SMS that was sent to a player: the one that a reply most likely answers. */
export async function findLastSms(pool: Pool, brandId: number, playerId: number): Promise<FoundMessage | null> {
  const { rows } = await pool.query<FoundMessage>({
    name: 'find_last_sms',
    text: `select m.message_id, m.player_id, p.user_id, m.channel, m.campaign_id, m.address_key
             from called_message m join player p on p.player_id = m.player_id and p.erased_at is null
            where m.player_id = $2 and m.brand_id = $1 and m.channel = 'sms' and m.sent_at is not null
            order by m.message_id desc limit 1`,
    values: [brandId, playerId],
  });
  return rows[0] ?? null;
}
