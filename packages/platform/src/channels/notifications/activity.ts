import type { MessageActivityRequest, Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { storeSiteReports } from '../reports/store-site-reports.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { writeSignals } from '../signals/signal-store.ts';

/*
 * Actions on messages that the player's screen reports: shown, clicked, closed. With reading and deleting (by-player.ts) these
 * are five facts, each with the time of its first report. Campaign results count them, so none of them implies another: a
 * player who closes a banner has not read it. The one exception is a click, which is also reading.
 */
type Activity = MessageActivityRequest['Items'][number]['Activity'];

export interface MessageActivity {
  message_id: number;
  activity: Activity;
}

/**
 * Stores the reports of a screen. Only the first of each counts, so reports may be repeated and come in any order. Ids that are
 * not the player's, or belong to messages that were never live, are skipped. Reports about messages that have ended are still
 * stored: they were on the screen.
 *
 * @returns signals that the caller passes to `SignalSender.poke` after the commit. With them, other pages of the player also remove what
 *   was closed or read
 */
export async function recordActivities(
  tx: PoolClient,
  player_id: number,
  activities: readonly MessageActivity[],
  at: Micros,
): Promise<SiteSignal[]> {
  if (activities.length === 0) return [];
  const idsOf = (activity: Activity) =>
    activities.flatMap((one) => (one.activity === activity ? [one.message_id] : []));
  const { rows } = await tx.query<{ message_id: number; brand_id: number; is_read: boolean; is_closed: boolean }>({
    name: 'record_message_activities',
    text: `with seen as (
             select n.message_id, n.shown_at, n.clicked_at, n.closed_at, n.read_at,
                    n.message_id = any ($3) as shown, n.message_id = any ($4) as clicked, n.message_id = any ($5) as closed,
                    n.state = 'live' and n.expires_at > $6 as is_live
               from notification n
              where n.message_id = any ($1) and n.player_id = $2 and n.live_at is not null
              order by n.message_id for update
           )
           update notification n
              set shown_at = case when seen.shown then coalesce(seen.shown_at, $6) else seen.shown_at end,
                  clicked_at = case when seen.clicked then coalesce(seen.clicked_at, $6) else seen.clicked_at end,
                  closed_at = case when seen.closed then coalesce(seen.closed_at, $6) else seen.closed_at end,
                  read_at = case when seen.clicked and seen.is_live then coalesce(seen.read_at, $6) else seen.read_at end
             from seen
            where n.message_id = seen.message_id
              and (seen.shown and seen.shown_at is null or seen.clicked and seen.clicked_at is null
                   or seen.closed and seen.closed_at is null)
           returning n.message_id, n.brand_id, seen.is_live and n.read_at is distinct from seen.read_at as is_read,
                     seen.is_live and n.closed_at is distinct from seen.closed_at as is_closed`,
    values: [
      activities.map(({ message_id }) => message_id),
      player_id,
      idsOf('shown'),
      idsOf('clicked'),
      idsOf('closed'),
      timestamptzText(at),
    ],
  });
  await storeSiteReports(tx, { player_id, message_ids: rows.map(({ message_id }) => message_id) }, at);
  return writeSignals(
    tx,
    rows.flatMap(({ message_id, brand_id, is_read, is_closed }) => {
      const kind = is_read ? 'read' : is_closed ? 'closed' : null;
      return kind === null ? [] : [{ brand_id, player_id, kind, message_id } as const];
    }),
  );
}
