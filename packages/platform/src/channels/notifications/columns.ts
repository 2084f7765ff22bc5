/** The columns of a `NotificationRow`, of the table `notification` as `n`. */
export const notificationColumns = `n.message_id, n.brand_id, n.player_id, n.channel, n.purpose, n.event, n.display_type, n.title,
  n.message, n.preview_text, n.footer_text, n.data::text as data, n.cta_button_link, n.cta_button_text, n.cta_button2_link,
  n.cta_button2_text, n.image_url, n.campaign_id, n.created_at, n.created_by,
  nullif(n.expires_at, 'infinity') as expires_at, n.state, n.reason, n.state_since, n.decision_id, n.live_at, n.shown_at,
  n.read_at, n.clicked_at, n.closed_at, case when n.state = 'deleted' then n.state_since end as deleted_at, n.ended_by, n.due_at`;

/**
 * Whether a live message `n` is not of a campaign that is being recalled: SQL. The rows of a large campaign change over some seconds; by
 * this they are gone from every inbox when the recall is ordered. Open recalls are few, and have an index of their own.
 */
export const notBeingRecalled = `(n.campaign_id is null or not exists (
                   select from notification_recall r where r.phase <> 'done' and r.brand_id = n.brand_id
                      and r.campaign_id = n.campaign_id and r.up_to >= n.message_id))`;

/**
 * Whether a live message `n` is none that the player's protection takes back: unread marketing, by what was last published of the
 * player (table player_protection). SQL. The follower `channels` withdraws such messages within a second; by this they are also gone
 * from every list while no worker runs.
 *
 * Where the player is a parameter, PostgreSQL reads the protection once for a statement, not once for each message.
 *
 * @param player SQL of the player_id.
 */
export const notTakenBack = (
  player: string,
) => `(n.purpose = 'service' or n.read_at is not null or n.channel <> all (coalesce((
                   select case when x.excluded or x.blocked or x.consents ->> 'sitenotification' = 'false' then array['site', 'push']
                               when x.consents ->> 'pushnotification' = 'false' then array['push'] end
                     from player_protection x where x.player_id = ${player}), '{}')))`;

/**
 * Whether a live message `n` may be shown although the player's protection may have changed: unread marketing waits while the gate would
 * hold it (docs/decisions/1033). Its gate was asked before the update was acknowledged, and it may have become live afterwards. SQL.
 *
 * What was on a screen before is still the player's to read and delete, so this is a condition of what is shown only.
 *
 * @param unsettled SQL of `isUnsettled`.
 */
export const notWaiting = (unsettled: string) => `(n.purpose = 'service' or n.read_at is not null or not ${unsettled})`;
