import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/** Finding players: the one place of the console that reads tables of other stages (player, player_profile) itself. */

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
 * Players whose user_id begins with the text, in the order of their user_ids, byte by byte; with `email` also those whose
 * e-mail begins with it or is it, whatever its letter case. Both halves read one page from an index of its own.
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
