import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/*
 * Ends of sessions are rows that every admission reads. So an end made by one process takes effect at all processes with their
 * next call.
 *
 * Ends are not compared by time. The clocks of several machines differ, and a token must not stay valid because its machine's
 * clock was ahead. Instead, each row has a number, taken while the row is locked, so that it increases with the row's commits.
 * A token stores the two numbers at the time of its creation, its player's and its session's. If either has increased, the
 * token has ended. Two numbers are needed, because numbers of different rows are not committed in order. The maximum of both
 * would hide an end that took its number first and committed last.
 *
 * A sid is checked before its player is known, so there is no number to store. Instead, the database's snapshot of that moment
 * is stored with the answer. An end whose transaction is not in the snapshot came later, or was not committed yet.
 */

/** Numbers of the last ends known when a credential was accepted; 0 if there was none. */
export interface EndsKnown {
  /** The number of the last end of all the player's sessions. */
  all_ended: number;
  /** The number of the last end of this session only. */
  one_ended: number;
}

/** The state of a player that decides whether a session continues. */
export interface SessionState extends EndsKnown {
  player_id: number;
  user_id: string;
  erased: boolean;
  excluded: boolean;
  all_ended_at: Micros | null;
  /** An end that concerns the session was not in the given snapshot. */
  ended_since: boolean;
}

/** The session, and the snapshot after which an end counts as later; null to skip that check. */
export interface SessionAsked {
  sid_hash: string;
  snapshot: string | null;
}

/**
 * If a row is visible but its transaction number is not, the row was restored from a dump of another server. Its end is old.
 */
const since = (end: string) =>
  `coalesce(not pg_visible_in_snapshot(${end}.written_by, $4::pg_snapshot)
            and pg_visible_in_snapshot(${end}.written_by, pg_current_snapshot()), false)`;

const stateSql = `
  select p.player_id, p.user_id, p.erased_at is not null as erased, coalesce(x.excluded, false) as excluded,
         coalesce(a.end_no, 0) as all_ended, a.ended_at as all_ended_at, coalesce(o.end_no, 0) as one_ended,
         ${since('a')} or ${since('o')} as ended_since
    from player p
    left join player_protection x on x.player_id = p.player_id
    left join site_session_end a on a.player_id = p.player_id and a.sid_hash = ''
    left join site_session_end o on o.player_id = p.player_id and o.sid_hash = $3`;

export async function sessionStateOfUser(
  db: Pool | ClientBase,
  brandId: number,
  userId: string,
  { sid_hash, snapshot }: SessionAsked,
): Promise<SessionState | undefined> {
  const { rows } = await db.query<SessionState>({
    name: 'site_standing_of_user',
    text: `${stateSql} where p.brand_id = $1 and p.user_id = $2`,
    values: [brandId, userId, sid_hash, snapshot],
  });
  return rows[0];
}

export async function sessionStateOfPlayer(
  db: Pool | ClientBase,
  brandId: number,
  playerId: number,
  { sid_hash, snapshot }: SessionAsked,
): Promise<SessionState | undefined> {
  const { rows } = await db.query<SessionState>({
    name: 'site_standing_of_player',
    text: `${stateSql} where p.brand_id = $1 and p.player_id = $2`,
    values: [brandId, playerId, sid_hash, snapshot],
  });
  return rows[0];
}

export interface SessionEnd {
  brand_id: number;
  player_id: number;
  /** Empty for all sessions of the player. */
  sid_hash: string;
  at: Micros;
}

/**
 * Writes ends in the transaction of their cause, in the order of their key. At most one per player and session.
 *
 * The rows exist and are locked before their numbers are taken. So of two concurrent ends of one session, the one that commits
 * later has the higher number.
 */
export async function endSessions(tx: ClientBase, ends: readonly SessionEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const keys = [ends.map((end) => end.player_id), ends.map((end) => end.sid_hash)];
  const times = ends.map((end) => timestamptzText(end.at));
  await tx.query({
    name: 'site_make_session_ends',
    text: `insert into site_session_end (player_id, sid_hash, brand_id, end_no, ended_at)
           select player_id, sid_hash, brand_id, 0, at
             from unnest($1::bigint[], $2::text[], $3::int[], $4::timestamptz[]) as r (player_id, sid_hash, brand_id, at)
            order by player_id, sid_hash
           on conflict (player_id, sid_hash) do nothing`,
    values: [...keys, ends.map((end) => end.brand_id), times],
  });
  const { rows: numbers } = await tx.query<{ place: number; end_no: number }>({
    name: 'site_number_session_ends',
    text: `select place::int, nextval('site_session_end_no') as end_no
             from (select r.place from site_session_end e
                     join unnest($1::bigint[], $2::text[]) with ordinality as r (player_id, sid_hash, place) using (player_id, sid_hash)
                    order by e.player_id, e.sid_hash for update of e) held`,
    values: keys,
  });
  const numberOf = new Map(numbers.map(({ place, end_no }) => [place, end_no]));
  await tx.query({
    name: 'site_end_sessions',
    text: `update site_session_end e
              set end_no = r.end_no, ended_at = greatest(e.ended_at, r.at), written_by = pg_current_xact_id()
             from unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[]) as r (player_id, sid_hash, end_no, at)
            where e.player_id = r.player_id and e.sid_hash = r.sid_hash`,
    values: [...keys, ends.map((_, place) => numberOf.get(place + 1)), times],
  });
}

/** Deletes ends of single sessions that are older than the limit of their brand. @returns how many */
export async function forgetEndsBefore(
  db: Pool,
  limits: readonly { brand_id: number; before: Micros }[],
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from site_session_end e using unnest($1::int[], $2::timestamptz[]) as limits (brand_id, before)
      where e.sid_hash <> '' and e.brand_id = limits.brand_id and e.ended_at < limits.before`,
    [limits.map(({ brand_id }) => brand_id), limits.map(({ before }) => timestamptzText(before))],
  );
  return rowCount ?? 0;
}
