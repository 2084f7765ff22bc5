import type { Pool } from 'pg';
import { mentionsPlayer, withoutMentions } from './mentions.ts';

/** Small, because bodies may have 1 MiB each. */
const bodiesPerRead = 20;

/**
 * Assigns quarantined bodies without a readable user_id to the player whom they mention, so that an export shows them and an
 * erasure deletes them. It reads all such bodies of the brand, because the quarantine is limited and few bodies have no
 * user_id.
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

/**
 * Removes a player from quarantined bodies that belong to others: an account that was opened for a friend mentions both. Run it
 * after the player's own bodies are deleted. Only bodies that contain the user_id, or a backslash, which may be part of its spelling,
 * are parsed.
 * @returns how many bodies mentioned the player
 */
export async function redactMentions(pool: Pool, of: { brand_id: number; user_id: string }): Promise<number> {
  let changed = 0;
  for (let after = 0; ; ) {
    const { rows } = await pool.query<{ quarantine_id: number; body: Buffer; corrected_body: Buffer | null }>(
      `select quarantine_id, body, corrected_body
         from quarantine, lateral (select body || coalesce(corrected_body, '') as bytes) texts
        where brand_id = $1 and quarantine_id > $2
          and (position(convert_to($3, 'UTF8') in bytes) > 0 or position('\\x5c'::bytea in bytes) > 0)
        order by quarantine_id limit $4`,
      [of.brand_id, after, of.user_id.trim(), bodiesPerRead],
    );
    const last = rows.at(-1);
    if (last === undefined) return changed;
    after = last.quarantine_id;
    for (const { quarantine_id, body, corrected_body } of rows) {
      const redacted = withoutMentions(body, of.user_id);
      const correction = corrected_body === null ? undefined : withoutMentions(corrected_body, of.user_id);
      if (redacted === undefined && correction === undefined) continue;
      await pool.query('update quarantine set body = $2, corrected_body = $3 where quarantine_id = $1', [
        quarantine_id,
        redacted ?? body,
        correction ?? corrected_body,
      ]);
      changed++;
    }
  }
}
