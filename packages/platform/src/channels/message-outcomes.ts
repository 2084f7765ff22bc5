/**
 * The outcomes of messages over all channels, as a relation `(message_id, outcome, at, reason)`. It has one row for each
 * outcome that a message reached, so a message may have several. Campaign results join it by message_id.
 *
 * - `withheld`: the message was dropped after it was ordered and before it was sent, with the reason.
 * - `sent`: it is in the player's lists on the site, or the provider accepted it, or it was exported.
 * - `delivered`: for a site message, it is in the lists; for a telephone or postal list, the player was reached.
 * - `shown`, `opened` (read), `clicked`: reported by the player's screen. A player who opened or clicked a message has also
 *   seen it, so each includes the later ones.
 * - `delivered` to `clicked`, `bounced`, `complained`, `unsubscribed`, `replied` of other channels: reports that arrived
 *   through the ledger.
 */
export const messageOutcomes = `(
  select message_id, 'sent' as outcome, live_at as at, null::text as reason from notification where live_at is not null
  union all select message_id, 'delivered', live_at, null from notification where live_at is not null
  union all select message_id, 'shown', least(shown_at, read_at, clicked_at), null from notification
             where coalesce(shown_at, read_at, clicked_at) is not null
  union all select message_id, 'opened', least(read_at, clicked_at), null from notification
             where coalesce(read_at, clicked_at) is not null
  union all select message_id, 'clicked', clicked_at, null from notification where clicked_at is not null
  union all select message_id, 'withheld', state_since, reason from notification where live_at is null and state in ('withheld', 'dropped')
  union all select message_id, 'sent', sent_at, null from email_message where sent_at is not null
  union all select message_id, 'withheld', ended_at, reason from email_message where state in ('withheld', 'dropped')
  union all select message_id, 'sent', sent_at, null from called_message where sent_at is not null
  union all select message_id, 'withheld', ended_at, reason from called_message where state in ('withheld', 'dropped')
  union all select message_id, 'sent', exported_at, null from list_entry where exported_at is not null
  union all select message_id, 'delivered', ended_at, null from list_entry where state = 'reached'
  union all select message_id, 'withheld', ended_at, reason from list_entry where state in ('withheld', 'dropped')
  union all select o.message_id::bigint, r.outcome, r.at, null from message_outcome o cross join lateral (values
                     ('delivered', least(o.delivered_at, o.shown_at, o.opened_at, o.clicked_at)),
                     ('shown', least(o.shown_at, o.opened_at, o.clicked_at)), ('opened', least(o.opened_at, o.clicked_at)),
                     ('clicked', o.clicked_at), ('bounced', o.bounced_at), ('complained', o.complained_at),
                     ('unsubscribed', o.unsubscribed_at), ('replied', o.replied_at)) r (outcome, at)
             where r.at is not null and o.channel not in ('site', 'push') and o.message_id ~ '^[0-9]{1,15}$'
)`;
