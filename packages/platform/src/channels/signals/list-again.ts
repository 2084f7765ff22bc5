import type { ClientBase } from 'pg';
import { shelvesOf } from '../notifications/site-store.ts';
import type { SiteSignal } from './signal.ts';

/**
 * Makes the open pages of these players reload their lists, if unread marketing may have waited
 * (notifications/columns.ts, `notWaiting`). During the wait, a page gets no signal for a new message, and the lists that it
 * fetches do not contain waiting messages.
 *
 * The statement searches the messages of each player with `limit 1`, not with `exists`. Its plan is kept for the life of the connection, and
 * a plan of `exists` that was made while the table was almost empty reads all live messages at each call.
 *
 * @returns signals that the caller passes to `SignalSender.poke` after the commit
 */
export async function letListAgain(tx: ClientBase, playerIds: readonly number[]): Promise<SiteSignal[]> {
  if (playerIds.length === 0) return [];
  const { rows } = await tx.query<SiteSignal>({
    name: 'let_list_again',
    text: `insert into site_signal as s (brand_id, player_id, kind)
           select p.brand_id, p.player_id, 'list_again' from player p
            cross join lateral (select from notification n
                                 where n.player_id = p.player_id and n.state = 'live' and n.shelf = any ($2::smallint[])
                                   and n.purpose = 'marketing' limit 1) waiting
            where p.player_id = any ($1::bigint[])
           returning s.signal_id, s.brand_id, s.player_id, s.kind, s.message_id`,
    values: [[...new Set(playerIds)], shelvesOf({ unreadOnly: true, inboxOnly: false })],
  });
  return rows;
}
