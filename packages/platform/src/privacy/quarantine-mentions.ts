import type { Pool } from 'pg';
import { mentionsPlayer } from './mentions.ts';

/** Bodies may be 1 MiB each. */
const bodiesPerRead = 20;

/**
 * Gives bodies in quarantine in which no user_id could be read to the player whom they name, so that an export shows them and an erasure
 * removes them. The quarantine is bounded, and few bodies have no user_id: all of the brand are read.
 */
export async function claimMentions(pool: Pool, of: { brand_id: number; user_id: string }): Promise<number> {
  let claimed = 0;
  for (let after = 0; ; ) {
    const { rows } = await pool.query<{ quarantine_id: number; body: Buffer }>(
      `select quarantine_id, body from quarantine
        where brand_id = $1 and user_id is null and quarantine_id > $2 order by quarantine_id limit $3`,
      [of.brand_id, after, bodiesPerRead],
    );
    const last = rows.at(-1);
    if (last === undefined) return claimed;
    after = last.quarantine_id;
    const theirs = rows.flatMap(({ quarantine_id, body }) => (mentionsPlayer(body, of.user_id) ? [quarantine_id] : []));
    if (theirs.length === 0) continue;
    const { rowCount } = await pool.query(
      'update quarantine set user_id = $2 where quarantine_id = any($1::bigint[]) and user_id is null',
      [theirs, of.user_id],
    );
    claimed += rowCount ?? 0;
  }
}
