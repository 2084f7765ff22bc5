import type { Pool } from 'pg';

/** Country of all seeded players. No player of the mix has it, so a segment by country selects exactly the seeded players. */
export const seededCountry = 'XX';

/** Players whom the gate allows campaigns to contact on the site. They have no events. */
export async function seedReachable(pool: Pool, players: number): Promise<void> {
  await pool.query(
    `insert into player (brand_id, user_id, bucket, created_at)
     select brand_id, 'seed-' || n, hashtextextended('seed-' || n, 0) & 63, '2024-01-01'
       from brand cross join generate_series(1, $1::int) n`,
    [players],
  );
  await pool.query(
    `insert into player_profile (player_id, country, language, is_blocked, is_excluded, changed_at)
     select player_id, $1, 'en', false, false, now() from player order by player_id`,
    [seededCountry],
  );
  await pool.query(
    `insert into player_protection (player_id, brand_id, excluded, blocked, noted_at)
     select player_id, brand_id, false, false, now() from player order by player_id`,
  );
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select player_id, 'sitenotification', 'SiteNotification', 'SiteNotification', true, 'look_up', now() from player order by player_id`,
  );
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, done, lane, as_of)
     select player_id, look_up, brand_id, 1, 0, now()
       from player cross join unnest(array['details', 'consents', 'blocks']) look_up order by player_id`,
  );
  await pool.query('vacuum analyze player, player_profile, player_protection, player_consent, player_sync');
}
