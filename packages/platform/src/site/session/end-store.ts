import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/*
 * Ends of sessions as rows, read by every admission: that is how an end made by one process is heeded by all others with
 * their very next call, and by none of them sooner or later than by the rest.
 *
 * Numbers of one sequence, not times: clocks of several machines disagree, and a token must not survive because its machine's
 * clock was ahead. A credential remembers how many ends there were before it was checked (`after_end`); an end with a higher
 * number that concerns it ends it. The number is taken while the row is locked, so numbers of one row rise with its commits.
 */

/** What of a player decides whether a session goes on. */
export interface Standing {
  player_id: number;
  user_id: string;
  erased: boolean;
  excluded: boolean;
  /** Number of the last end of all the player's sessions; 0: there was none. */
  all_ended: number;
  all_ended_at: Micros | null;
  /** Of this one session. */
  one_ended: number;
}

const standing = `
  select p.player_id, p.user_id, p.erased_at is not null as erased, coalesce(x.excluded, false) as excluded,
         coalesce(a.end_no, 0) as all_ended, a.ended_at as all_ended_at, coalesce(o.end_no, 0) as one_ended
    from player p
    left join player_protection x on x.player_id = p.player_id
    left join site_session_end a on a.player_id = p.player_id and a.sid_hash = ''
    left join site_session_end o on o.player_id = p.player_id and o.sid_hash = $3`;

export async function standingOfUser(
  db: Pool | ClientBase,
  brandId: number,
  userId: string,
  sidHash: string,
): Promise<Standing | undefined> {
  const { rows } = await db.query<Standing>({
    name: 'site_standing_of_user',
    text: `${standing} where p.brand_id = $1 and p.user_id = $2`,
    values: [brandId, userId, sidHash],
  });
  return rows[0];
}

export async function standingOfPlayer(
  db: Pool | ClientBase,
  brandId: number,
  playerId: number,
  sidHash: string,
): Promise<Standing | undefined> {
  const { rows } = await db.query<Standing>({
    name: 'site_standing_of_player',
    text: `${standing} where p.brand_id = $1 and p.player_id = $2`,
    values: [brandId, playerId, sidHash],
  });
  return rows[0];
}

/** How many ends there were so far. To be read before a credential is checked, so that an end during the check counts. */
export async function endsSoFar(db: Pool | ClientBase): Promise<number> {
  const { rows } = await db.query<{ ends: number }>({
    name: 'site_ends_so_far',
    text: 'select case when is_called then last_value else 0 end as ends from site_session_end_no',
  });
  return rows[0]?.ends ?? 0;
}

export interface SessionEnd {
  brand_id: number;
  player_id: number;
  /** Empty: all sessions of the player. */
  sid_hash: string;
  at: Micros;
}

/** Writes ends in the transaction of their cause, in the order of their key. At most one per player and session. */
export async function endSessions(tx: ClientBase, ends: readonly SessionEnd[]): Promise<void> {
  if (ends.length === 0) return;
  await tx.query({
    name: 'site_end_sessions',
    text: `insert into site_session_end as e (player_id, sid_hash, brand_id, end_no, ended_at)
           select player_id, sid_hash, brand_id, nextval('site_session_end_no'), at
             from (select * from unnest($1::bigint[], $2::text[], $3::int[], $4::timestamptz[])
                     as r (player_id, sid_hash, brand_id, at) order by player_id, sid_hash) ordered
           on conflict (player_id, sid_hash) do update
              set end_no = nextval('site_session_end_no'), ended_at = greatest(e.ended_at, excluded.ended_at)`,
    values: [
      ends.map((end) => end.player_id),
      ends.map((end) => end.sid_hash),
      ends.map((end) => end.brand_id),
      ends.map((end) => timestamptzText(end.at)),
    ],
  });
}

/** Forgets ends of single sessions. @returns how many. */
export async function forgetEndsBefore(db: Pool, before: Micros): Promise<number> {
  const { rowCount } = await db.query("delete from site_session_end where sid_hash <> '' and ended_at < $1", [
    timestamptzText(before),
  ]);
  return rowCount ?? 0;
}
