import type { Pool } from 'pg';

/**
 * Creates a finished run with one message for every player who has no run of the campaign. They are copies of a run that
 * happened. A third of the messages was shown, a sixth read and a twelfth clicked.
 *
 * @param of.country only players of this country; null: all players
 */
export async function fillCampaign(pool: Pool, code: string, of: { country: string | null }): Promise<void> {
  await pool.query(
    `with sample as (
       select r.* from campaign_run r join campaign c using (campaign_id) where c.code = $1 and r.state = 'done' limit 1
     ), story as (
       select s.* from campaign_run_step s join sample using (run_id) where s.effect ? 'message_id' limit 1
     ), content as (
       select n.* from notification n join story on n.message_id = (story.effect ->> 'message_id')::bigint
     ), made as (
       insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
       select p.player_id, r.brand_id, r.campaign_id, r.version_id, r.cause_key, r.cause, r.state, r.position, r.entered_at, r.moved_at
         from player_profile p cross join sample r where ($2::text is null or p.country = $2)
          and not exists (select from campaign_run o where o.player_id = p.player_id and o.campaign_id = r.campaign_id)
       order by p.player_id
       returning run_id, player_id
     ), numbered as materialized (
       select run_id, player_id, row_number() over () as n, id_in_bucket(nextval('notification_number'), player_id) as message_id from made
     ), steps as (
       insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at, effect)
       select m.player_id, m.run_id, s.campaign_id, s.version_id, s.step, s.state, s.at, s.effect || jsonb_build_object('message_id', m.message_id)
         from numbered m cross join story s
     )
     insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
                               footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url,
                               campaign_id, created_at, created_by, state, state_since, decision_id, live_at, shown_at, read_at, clicked_at)
     select m.message_id, c.brand_id, m.player_id, channel, purpose, event, display_type, title, message, preview_text,
            footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url,
            campaign_id, created_at, created_by, state, state_since, decision_id, live_at, case when n % 3 = 0 then live_at end,
            case when n % 6 = 0 then live_at end, case when n % 12 = 0 then live_at end
       from numbered m cross join content c`,
    [code, of.country],
  );
  await pool.query('vacuum analyze campaign_run, campaign_run_step, notification');
}
