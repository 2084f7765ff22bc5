import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type TimePage, timePageSql, timePageValues } from '../../database/index.ts';
import { notificationColumns } from './columns.ts';
import { type NotificationRow, type NotificationState, notificationStates } from './notification.ts';

/** Reads messages for display: lists, single messages, and counts of those that wait. */

/** Null for an erased player: the user_id of the tombstone is not shown. */
const userId = 'case when p.erased_at is null then p.user_id end as user_id';

export type ListedNotification = NotificationRow & { user_id: string | null };

export interface NotificationFilter {
  player_id?: number | undefined;
  state?: NotificationState | undefined;
  reason?: string | undefined;
  campaign_id?: string | undefined;
}

/**
 * Newest first, by message_id. A list merges the requested states, each read from its own range of an index, at most a page
 * each. So a rare state is found as fast as a frequent one.
 *
 * The messages of a brand are read in the order of the negative id. Only the indexes for these lists have it, so PostgreSQL cannot choose
 * the primary key. It did so when nearly all messages of a million were live, and read all of them for each of the other states. The
 * messages of one player are read from `notification_player` and then checked, because they are few.
 */
export async function listNotifications(
  pool: Pool,
  brandId: number,
  { player_id, state, reason, campaign_id }: NotificationFilter,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
): Promise<ListedNotification[]> {
  const values: unknown[] = [state === undefined ? notificationStates : [state], before, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // A player belongs to one brand. Without statistics, PostgreSQL could read all messages of the brand to find those of the player.
  const owner = player_id === undefined ? `n.brand_id = ${bind(brandId)}` : `n.player_id = ${bind(player_id)}`;
  const conditions = [owner, 'n.state = s.wanted'];
  if (reason !== undefined) conditions.push(`n.reason = ${bind(reason)}`);
  if (campaign_id !== undefined) conditions.push(`n.campaign_id = ${bind(campaign_id)}`);
  conditions.push(player_id === undefined ? '-n.message_id > -$2::bigint' : 'n.message_id < $2');
  const page = 'order by n.message_id desc limit $3';
  const pageOfState = player_id === undefined ? 'order by -n.message_id limit $3' : page;
  const { rows } = await pool.query<ListedNotification>(
    `select n.*, ${userId} from unnest($1::text[]) as s (wanted)
      cross join lateral (
        select ${notificationColumns} from notification n where ${conditions.join(' and ')} ${pageOfState}) n
       left join player p using (player_id) ${page}`,
    values,
  );
  return rows;
}

/** Messages of one player by the start of their current state, newest first. */
export async function playerNotifications(pool: Pool, playerId: number, page: TimePage): Promise<NotificationRow[]> {
  const { rows } = await pool.query<NotificationRow>(
    `select ${notificationColumns} from notification n
      where n.player_id = $1 ${timePageSql({ at: 'n.state_since', key: 'n.message_id', type: 'bigint' }, 2)}`,
    [playerId, ...timePageValues(page)],
  );
  return rows;
}

/** The messages of a player on the site with these ids. */
export async function notificationsOf(
  pool: Pool,
  playerId: number,
  messageIds: readonly number[],
): Promise<NotificationRow[]> {
  const { rows } = await pool.query<NotificationRow>(
    `select ${notificationColumns} from notification n where n.message_id = any($2::bigint[]) and n.player_id = $1`,
    [playerId, messageIds],
  );
  return rows;
}

export async function readNotification(
  pool: Pool,
  brandId: number,
  messageId: number,
): Promise<ListedNotification | null> {
  const { rows } = await pool.query<ListedNotification>(
    `select ${notificationColumns}, ${userId} from notification n left join player p using (player_id)
      where n.brand_id = $1 and n.message_id = $2`,
    [brandId, messageId],
  );
  return rows[0] ?? null;
}

/** Counts stop here, because a higher number would mean the same to a person. */
export const mostHeldCounted = 10_000;

/**
 * Messages of a brand that wait because the gate needs more information about their players; `oldest_at` is when the first of
 * them was requested.
 */
export async function countHeld(pool: Pool, brandId: number): Promise<{ held: number; oldest_at: Micros | null }> {
  const { rows } = await pool.query<{ held: number; oldest_at: Micros | null }>(
    `select count(*) as held, min(created_at) as oldest_at
       from (select created_at from notification where brand_id = $1 and state = 'held' order by -message_id desc limit $2) n`,
    [brandId, mostHeldCounted],
  );
  return rows[0] ?? { held: 0, oldest_at: null };
}
