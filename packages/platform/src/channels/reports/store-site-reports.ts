import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/**
 * Creates events from a player's actions on site messages, in the transaction that stores them: shown, read (`opened`),
 * clicked. Each is stored once, with its first time, so each is reported once.
 *
 * @param at the time that was stored
 */
export async function storeSiteReports(
  tx: ClientBase,
  { player_id, message_ids }: { player_id: number; message_ids: readonly number[] },
  at: Micros,
): Promise<void> {
  if (message_ids.length === 0) return;
  await tx.query({
    name: 'tell_site_reports',
    text: `insert into message_report (player_id, report_key, brand_id, body, heard_at, waits)
           select n.player_id, sha256(convert_to(e.event_id, 'UTF8')), n.brand_id,
                  jsonb_strip_nulls(jsonb_build_object('user_id', p.user_id, 'timestamp', $3::text, 'event_id', e.event_id, 'what', r.what,
                    'channel', n.channel, 'provider', 'site', 'message_id', n.message_id::text,
                    'campaign_id', nullif(btrim(left(n.campaign_id, 255)), ''))),
                  $3::timestamptz, true
             from notification n
             join player p on p.player_id = n.player_id and p.erased_at is null
            cross join lateral (values ('shown', n.shown_at), ('opened', n.read_at), ('clicked', n.clicked_at)) r (what, at)
            cross join lateral (select 'site:' || n.message_id || ':' || r.what as event_id) e
            where n.message_id = any ($1::bigint[]) and n.player_id = $2 and r.at = $3::timestamptz
           on conflict (player_id, report_key) do nothing`,
    values: [message_ids, player_id, timestamptzText(at)],
  });
}
