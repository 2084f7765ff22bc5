/** The columns of a `NotificationRow`, of the table `notification` as `n`. */
export const notificationColumns = `n.message_id, n.brand_id, n.player_id, n.channel, n.purpose, n.event, n.display_type, n.title,
  n.message, n.preview_text, n.footer_text, n.data::text as data, n.cta_button_link, n.cta_button_text, n.cta_button2_link,
  n.cta_button2_text, n.image_url, n.campaign_id, n.created_at, n.created_by,
  nullif(n.expires_at, 'infinity') as expires_at, n.state, n.reason, n.state_since, n.decision_id, n.live_at, n.shown_at,
  n.read_at, n.clicked_at, n.closed_at, case when n.state = 'deleted' then n.state_since end as deleted_at, n.ended_by, n.due_at`;

/**
 * SQL condition that a live message `n` does not belong to a campaign that is being recalled. The rows of a large campaign
 * change over some seconds; this condition hides them from every inbox as soon as the recall is ordered. Open recalls are few,
 * and have their own index.
 */
export const notBeingRecalled = `(n.campaign_id is null or not exists (
                   select from notification_recall r where r.phase <> 'done' and r.brand_id = n.brand_id
                      and r.campaign_id = n.campaign_id and r.up_to >= n.message_id))`;

/**
 * SQL condition that the player's protection does not withdraw a live message `n`. Protection withdraws unread marketing if the
 * player is protected according to the state that was last published (table player_protection). The follower `channels` withdraws
 * such messages within a second. This condition also hides them from every list while no worker runs.
 *
 * If the player is a parameter, PostgreSQL reads the protection once per statement, not once per message.
 *
 * @param player SQL of the player_id
 */
export const notTakenBack = (
  player: string,
) => `(n.purpose = 'service' or n.read_at is not null or n.channel <> all (coalesce((
                   select case when x.excluded or x.blocked or x.consents ->> 'sitenotification' = 'false' then array['site', 'push']
                               when x.consents ->> 'pushnotification' = 'false' then array['push'] end
                     from player_protection x where x.player_id = ${player}), '{}')))`;

/**
 * SQL condition that a live message `n` may be shown although the player's protection may have changed: unread marketing waits
 * while the gate would hold it (docs/decisions/1033). The gate was asked before the update was acknowledged, and the message
 * may have become live afterwards.
 *
 * The player may still read and delete what was on a screen before, so this condition applies to display only.
 *
 * @param unsettled SQL of `isUnsettled`
 */
export const notWaiting = (unsettled: string) => `(n.purpose = 'service' or n.read_at is not null or not ${unsettled})`;
