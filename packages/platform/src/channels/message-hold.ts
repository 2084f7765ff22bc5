import { type CampaignHold, campaignHoldOf } from '../outgoing/index.ts';

/*
 * A message that a campaign or a bulk action ordered may wait before it reaches anyone: for a rate, a retry, or an answer about its
 * player. Meanwhile, staff may stop the campaign or cancel the bulk action. So the transaction that would send the message reads this
 * together with the message. Then no message is sent after the answer to the stop or the cancellation, even if the worker that ends the
 * remaining messages (campaigns/halt/sweep.ts, bulk/withdraw.ts) has died.
 *
 * Calls that have begun are not affected.
 */

/** Why a message waits, or ends without being sent. */
export type MessageHold = CampaignHold | 'bulk_cancelled';

/** SQL on the message `q`: 'bulk_cancelled' if its bulk action was cancelled, otherwise null. */
export const bulkCancelled = `case when q.created_by not like 'campaign %' then (
    select 'bulk_cancelled' from bulk_player m join bulk_progress b using (action_id)
     where m.player_id = q.player_id and m.message_id = q.message_id and b.state = 'cancelled') end`;

/** SQL of a column `hold` of the message `q`: a MessageHold or null. */
export const messageHold = `coalesce(${campaignHoldOf('campaign_id')}, ${bulkCancelled}) as hold`;

/** Whether the message ends. Otherwise it waits for the resume of its campaign. */
export function endsMessage(hold: MessageHold | null): hold is Exclude<MessageHold, 'campaign_paused'> {
  return hold === 'campaign_stopped' || hold === 'bulk_cancelled';
}
