import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { isUnsettled } from '../../gate/index.ts';
import { notBeingRecalled, notificationColumns, notTakenBack, notWaiting } from './columns.ts';
import type { NotificationRow } from './notification.ts';

/*
 * The queries of a player's site. All of these statements return only live messages of the player. They omit messages that have
 * expired, and messages of a campaign that is being recalled. They also omit unread marketing if the player is protected, or if
 * the protection may just have changed.
 *
 * A list is a merge of shelves (see the table). Each is read in the order of the index, at most a page, and then the newest of
 * all are taken. So a call reads at most five pages, whether the player has ten messages or 100,000, and however many are unread.
 * The only messages that are read without being shown are those that a protection or a recall hides, until their rows are
 * updated. Each such message of this player costs 2 to 4 µs, until its portion is processed some seconds later (docs/decisions/1101). A
 * limit on these reads would make even that cost constant, but a list would then seem to end too early.
 */
export const largestList = 100;
/** One more than the largest number of three digits: from here on, a badge shows 999+. */
export const mostUnreadCounted = 1_000;

export interface SiteListing {
  player_id: number;
  unreadOnly: boolean;
  inboxOnly: boolean;
  /** Returns only modals and banners. Together with `inboxOnly`, the list is empty. */
  withoutInbox: boolean;
  /** Without modals and banners that the player has closed and not read. */
  withoutClosed: boolean;
  /** At most `largestList`. */
  limit: number;
  /** Only messages older than this MessageId. Null starts with the newest. */
  before: number | null;
  now: Micros;
}

/** Values of the column `shelf`, by number. */
const shelves = [
  { isUnread: false, isInbox: false, isClosed: false },
  { isUnread: true, isInbox: false, isClosed: false },
  { isUnread: false, isInbox: true, isClosed: false },
  { isUnread: true, isInbox: true, isClosed: false },
  { isUnread: true, isInbox: false, isClosed: true },
] as const;

/** The shelves from which a list is merged. Pure. */
export function shelvesOf(filters: {
  unreadOnly: boolean;
  inboxOnly: boolean;
  withoutInbox?: boolean;
  withoutClosed?: boolean;
}): number[] {
  const { unreadOnly, inboxOnly, withoutInbox = false, withoutClosed = false } = filters;
  return shelves.flatMap(({ isUnread, isInbox, isClosed }, shelf) => {
    const isLeftOut = (unreadOnly && !isUnread) || (inboxOnly && !isInbox) || (withoutInbox && isInbox);
    return isLeftOut || (withoutClosed && isClosed) ? [] : [shelf];
  });
}

/** Newest first, by MessageId. */
export async function listForPlayer(db: Pool | ClientBase, listing: SiteListing): Promise<NotificationRow[]> {
  const { rows } = await db.query<NotificationRow>({
    name: 'list_site_notifications',
    text: `select n.* from unnest($2::smallint[]) as s (shelf)
            cross join lateral (
              select ${notificationColumns} from notification n
               where n.player_id = $1 and n.state = 'live' and n.shelf = s.shelf
                 and -n.message_id > $3::bigint and n.expires_at > $4 and ${notBeingRecalled}
                 and ${notTakenBack('$1')} and ${notWaiting(isUnsettled('$1'))}
               order by -n.message_id limit $5
            ) n order by n.message_id desc limit $5`,
    values: [
      listing.player_id,
      shelvesOf(listing),
      -(listing.before ?? Number.MAX_SAFE_INTEGER),
      timestamptzText(listing.now),
      Math.min(listing.limit, largestList),
    ],
  });
  return rows;
}

/** @returns null if the player has no such message, or no longer has it */
export async function getForPlayer(
  db: Pool | ClientBase,
  { player_id, message_id, now }: { player_id: number; message_id: number; now: Micros },
): Promise<NotificationRow | null> {
  const [row] = await getManyForPlayers(db, [{ player_id, message_id }], now);
  return row ?? null;
}

/** The visible messages among the pairs, in any order: for sockets, of many players at once. */
export async function getManyForPlayers(
  db: Pool | ClientBase,
  pairs: readonly { player_id: number; message_id: number }[],
  now: Micros,
): Promise<NotificationRow[]> {
  if (pairs.length === 0) return [];
  const { rows } = await db.query<NotificationRow>({
    name: 'get_site_notifications',
    text: `select ${notificationColumns}
             from unnest($1::bigint[], $2::bigint[]) as w (player_id, message_id)
             join notification n on n.message_id = w.message_id and n.player_id = w.player_id
            where n.state = 'live' and n.expires_at > $3 and ${notBeingRecalled} and ${notTakenBack('n.player_id')}
              and ${notWaiting(isUnsettled('n.player_id'))}`,
    values: [pairs.map((pair) => pair.player_id), pairs.map((pair) => pair.message_id), timestamptzText(now)],
  });
  return rows;
}

/** Up to `mostUnreadCounted`; that number means "or more". */
export async function countUnread(
  db: Pool | ClientBase,
  { player_id, inboxOnly, now }: { player_id: number; inboxOnly: boolean; now: Micros },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count_site_notifications',
    text: `select least(count(*), $4) as count from unnest($2::smallint[]) as s (shelf)
            cross join lateral (
              select from notification n
               where n.player_id = $1 and n.state = 'live' and n.shelf = s.shelf
                 and -n.message_id > $5::bigint and n.expires_at > $3 and ${notBeingRecalled}
                 and ${notTakenBack('$1')} and ${notWaiting(isUnsettled('$1'))}
               order by -n.message_id limit $4
            ) n`,
    values: [
      player_id,
      shelvesOf({ unreadOnly: true, inboxOnly }),
      timestamptzText(now),
      mostUnreadCounted,
      -Number.MAX_SAFE_INTEGER,
    ],
  });
  return rows[0]?.count ?? 0;
}
