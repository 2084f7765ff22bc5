import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/** Finding players: the one place of the console that reads tables of other stages (player, player_profile, player_protection) itself. */

export interface PlayerFound {
  player_id: number;
  user_id: string;
  created_at: Micros;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  country: string | null;
}

const listColumns = 'p.player_id, p.user_id, p.created_at, d.email, d.first_name, d.last_name, d.country';

/** Whether e-mails are searched: not at all, only whole ones, or by their beginning. */
export type EmailSearch = 'none' | 'whole' | 'beginning';

/**
 * Players whose user_id begins with the text, in byte order of their user_ids; with `email` also those whose e-mail begins with
 * it or equals it, in any case. Both parts read one page from their own index.
 */
export async function searchPlayers(
  pool: Pool,
  brandId: number,
  search: { text: string; email: EmailSearch },
  limit: number,
  after: string | null,
): Promise<PlayerFound[]> {
  const { rows } = await pool.query<PlayerFound>(
    `select * from (
     (select ${listColumns}
        from player p left join player_profile d using (player_id)
       where p.brand_id = $1 and p.erased_at is null and p.user_id collate "C" >= $2 and p.user_id collate "C" < $2 || chr(1114111)
         and ($4::text is null or p.user_id collate "C" > $4)
       order by p.user_id collate "C" limit $3)
     union
     (select ${listColumns}
        from player_profile d join player p using (player_id)
       where $5 <> 'none' and p.brand_id = $1
         and lower(d.email) collate "C" >= lower($2) and lower(d.email) collate "C" < lower($2) || chr(1114111)
         and ($5 = 'beginning' or lower(d.email) = lower($2))
         and ($4::text is null or p.user_id collate "C" > $4)
       order by p.user_id collate "C" limit $3)
     ) found order by user_id collate "C" limit $3`,
    [brandId, search.text, limit, after, search.email],
  );
  return rows;
}

export interface PlayerAtGlance extends PlayerFound {
  /** As the gate sees it now. */
  excluded: boolean;
  blocked: boolean;
}

/** Players by their user_ids; erased and unknown ones are left out. */
export async function playersByUserId(
  pool: Pool,
  brandId: number,
  userIds: readonly string[],
): Promise<Map<string, PlayerAtGlance>> {
  const { rows } = await pool.query<PlayerAtGlance>(
    `select ${listColumns}, coalesce(g.excluded, false) as excluded, coalesce(g.blocked, false) as blocked
       from player p left join player_profile d using (player_id) left join player_protection g using (player_id)
      where p.brand_id = $1 and p.user_id = any ($2) and p.erased_at is null`,
    [brandId, userIds],
  );
  return new Map(rows.map((player) => [player.user_id, player]));
}

export interface PlayerIdentity {
  player_id: number;
  brand_id: number;
  user_id: string;
}

export async function findPlayer(pool: Pool, brandId: number, userId: string): Promise<PlayerIdentity | null> {
  const { rows } = await pool.query<PlayerIdentity>(
    'select player_id, brand_id, user_id from player where brand_id = $1 and user_id = $2 and erased_at is null',
    [brandId, userId],
  );
  return rows[0] ?? null;
}
