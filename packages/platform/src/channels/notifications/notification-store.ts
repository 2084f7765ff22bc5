import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import type { Allowance } from './ask-gate.ts';
import type { NewNotification, NotificationState } from './notification.ts';

/** SQL statements that create messages: their ids, the keys of their requests, their rows. */

/**
 * Until the transaction ends, no recall of these campaigns can begin (recall-store.ts uses the same lock). So a message is
 * either included in a recall, or has a higher id than the recall covers.
 */
export async function lockCampaigns(
  tx: ClientBase,
  campaigns: readonly { brand_id: number; campaign_id: string }[],
): Promise<void> {
  if (campaigns.length === 0) return;
  await tx.query({
    name: 'lock_campaigns',
    text: `select pg_advisory_xact_lock_shared(key) from (
             select distinct ${campaignKey('c.brand_id', 'c.campaign_id')} as key
               from unnest($1::int[], $2::text[]) as c (brand_id, campaign_id) order by key) k`,
    values: [campaigns.map((one) => one.brand_id), campaigns.map((one) => one.campaign_id)],
  });
}

/** The key of a campaign's advisory lock, as SQL. */
export function campaignKey(brandId: string, campaignId: string): string {
  return `hashtextextended('campaign ' || ${brandId} || ' ' || ${campaignId}, 0)`;
}

/** One message id per player, in the given order. */
export async function takeMessageIds(tx: ClientBase, playerIds: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'take_message_ids',
    text: `select id_in_bucket(nextval('notification_number'), player_id) as id
             from (select player_id from unnest($1::bigint[]) with ordinality as p (player_id, place) order by place) p`,
    values: [playerIds],
  });
  return rows.map(({ id }) => id);
}

export interface RequestKey {
  brand_id: number;
  request_key: string;
  request_digest: string;
  message_id: number;
  player_id: number;
}

/**
 * Takes the keys of messages that are about to be created; waits for a concurrent transaction that takes the same key.
 *
 * @returns the message_ids whose keys were free
 */
export async function takeRequestKeys(tx: ClientBase, keys: readonly RequestKey[], at: Micros): Promise<Set<number>> {
  if (keys.length === 0) return new Set();
  const { rows } = await tx.query<{ message_id: number }>({
    name: 'take_notification_requests',
    text: `insert into notification_request (brand_id, request_key, request_digest, message_id, player_id, made_at)
           select brand_id, request_key, request_digest, message_id, player_id, $2
             from jsonb_to_recordset($1::jsonb)
                    as r (brand_id int, request_key text, request_digest text, message_id bigint, player_id bigint)
            order by player_id, request_key, message_id
           on conflict do nothing returning message_id`,
    values: [JSON.stringify(keys), timestamptzText(at)],
  });
  return new Set(rows.map(({ message_id }) => message_id));
}

export interface KnownRequest extends RequestKey {
  state: NotificationState;
  reason: string | null;
  decision_id: number | null;
}

export async function readRequests(
  tx: ClientBase,
  keys: readonly Pick<RequestKey, 'player_id' | 'request_key'>[],
): Promise<KnownRequest[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<KnownRequest>({
    name: 'read_notification_requests',
    text: `select r.*, n.state, n.reason, n.decision_id from unnest($1::bigint[], $2::text[]) as k (player_id, request_key)
             join notification_request r using (player_id, request_key)
             join notification n on n.message_id = r.message_id`,
    values: [keys.map((key) => key.player_id), keys.map((key) => key.request_key)],
  });
  return rows;
}

export interface DecidedNotification {
  message_id: number;
  asked: NewNotification;
  allowance: Allowance;
}

export async function insertNotifications(
  tx: ClientBase,
  notifications: readonly DecidedNotification[],
  at: Micros,
): Promise<void> {
  if (notifications.length === 0) return;
  await tx.query({
    name: 'insert_notifications',
    text: `insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message,
                  preview_text, footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url,
                  campaign_id, created_at, created_by, expires_at, state, reason, state_since, decision_id, live_at, due_at)
           select message_id, brand_id, player_id, channel, purpose, event, display_type, title, message,
                  preview_text, footer_text, d.data::json, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text,
                  image_url, campaign_id, $2, created_by, coalesce(expires_at, 'infinity'), state, reason, $2, decision_id,
                  case when state = 'live' then $2::timestamptz end,
                  case when state = 'held' then $5::timestamptz + ask_again_ms * interval '1 millisecond' end
             from jsonb_to_recordset($1::jsonb) as r (message_id bigint, brand_id int, player_id bigint, channel text, purpose text,
                    event text, display_type text, title text, message text, preview_text text, footer_text text,
                    cta_button_link text, cta_button_text text, cta_button2_link text, cta_button2_text text, image_url text,
                    campaign_id text, created_by text, expires_at timestamptz, state text, reason text,
                    decision_id bigint, ask_again_ms bigint)
             join unnest($3::bigint[], $4::text[]) as d (message_id, data) using (message_id)
            order by message_id`,
    values: [
      JSON.stringify(notifications.map(asRecord)),
      timestamptzText(at),
      notifications.map(({ message_id }) => message_id),
      // `data` is separate from the jsonb of the other fields, because jsonb would rewrite its numbers and keys.
      notifications.map(({ asked }) => asked.data),
      timestamptzText(await databaseTime(tx)),
    ],
  });
}

function asRecord({ message_id, asked, allowance }: DecidedNotification) {
  const { data: _, request_key: __, ...rest } = asked;
  const expires_at = asked.expires_at === null ? null : timestamptzText(asked.expires_at);
  return { ...rest, ...allowance, message_id, expires_at };
}
