import type { ClientBase } from 'pg';
import { type Scope, scoped } from '../../database/index.ts';
import type { Activity } from './activity.ts';

export async function saveActivities(tx: ClientBase, activities: readonly Activity[]): Promise<void> {
  await tx.query({
    name: 'save_player_activities',
    // Texts compare as bytes, as in activity.ts, whatever the collation of the database.
    text: `insert into player_activity as t (player_id, first_event_at, last_event_at, origin, origin_at)
           select * from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::text[], $5::timestamptz[])
           on conflict (player_id) do update set
             first_event_at = least(t.first_event_at, excluded.first_event_at),
             last_event_at = greatest(t.last_event_at, excluded.last_event_at),
             origin = case
               when excluded.origin_at is null then t.origin
               when t.origin_at is null or excluded.origin_at > t.origin_at then excluded.origin
               when excluded.origin_at = t.origin_at and excluded.origin collate "C" < t.origin collate "C" then excluded.origin
               else t.origin
             end,
             origin_at = greatest(t.origin_at, excluded.origin_at)
           where excluded.first_event_at < t.first_event_at
              or excluded.last_event_at > t.last_event_at
              or excluded.origin_at >= t.origin_at
              or t.origin_at is null`,
    values: [
      activities.map((a) => a.player_id),
      activities.map((a) => a.first_event_at),
      activities.map((a) => a.last_event_at),
      activities.map((a) => a.origin),
      activities.map((a) => a.origin_at),
    ],
  });
}

export interface PlayerKey {
  brand_id: number;
  user_id: string;
  bucket: number;
}

/**
 * Returns the identities of players, and creates missing ones. Two workers may do this at once: the second finds the
 * row of the first.
 */
export async function resolvePlayers(
  tx: ClientBase,
  keys: readonly PlayerKey[],
): Promise<{ brand_id: number; user_id: string; player_id: number }[]> {
  const values = [keys.map((k) => k.brand_id), keys.map((k) => k.user_id), keys.map((k) => k.bucket)];
  const { rows } = await tx.query<{ brand_id: number; user_id: string; player_id: number }>({
    name: 'resolve_players',
    text: `with given as (
             select * from unnest($1::int[], $2::text[], $3::smallint[]) as g(brand_id, user_id, bucket)
           ), known as (
             select player_id, p.brand_id, p.user_id from given g join player p using (brand_id, user_id)
           ), created as (
             insert into player (brand_id, user_id, bucket)
             select brand_id, user_id, bucket from given g
             where not exists (select from known k where k.brand_id = g.brand_id and k.user_id = g.user_id)
             order by brand_id, user_id
             on conflict (brand_id, user_id) do nothing
             returning player_id, brand_id, user_id
           ), noted as (
             insert into new_player (player_id, brand_id) select player_id, brand_id from created
           )
           select player_id, brand_id, user_id from known
           union all
           select player_id, brand_id, user_id from created`,
    values,
  });
  return rows;
}

/** Returns the numbers of the players that exist and are not erased, by `playerName`. */
export async function findPlayers(
  tx: ClientBase,
  keys: readonly Pick<PlayerKey, 'brand_id' | 'user_id'>[],
): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ brand_id: number; user_id: string; player_id: number }>(
    `select distinct player_id, p.brand_id, p.user_id
       from unnest($1::int[], $2::text[]) as g (brand_id, user_id) join player p using (brand_id, user_id)
      where p.erased_at is null`,
    [keys.map((k) => k.brand_id), keys.map((k) => k.user_id)],
  );
  return new Map(rows.map(({ brand_id, user_id, player_id }) => [`${brand_id}:${user_id}`, player_id]));
}

/**
 * Returns players of which only the hash is known, with their brands. It reads all players of the database, which takes
 * one second for ten million, so use it only for rare cases.
 */
export async function playersByHash(
  tx: ClientBase,
  keys: readonly { bucket: number; player_hash: string }[],
): Promise<[player_id: number, brand_id: number][]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<{ player_id: number; brand_id: number }>(
    `select p.player_id, p.brand_id
       from unnest($1::smallint[], $2::bigint[]) as k (bucket, player_hash)
       join player p on p.bucket = k.bucket and player_hash_of(p.brand_id, p.user_id) = k.player_hash
      where p.erased_at is null`,
    [keys.map(({ bucket }) => bucket), keys.map(({ player_hash }) => player_hash)],
  );
  return rows.map(({ player_id, brand_id }) => [player_id, brand_id]);
}

export async function readActivity(db: Pick<ClientBase, 'query'>, playerId: number): Promise<Activity | undefined> {
  const { rows } = await db.query<Activity>(
    `select player_id, first_event_at, last_event_at, origin, origin_at from player_activity where player_id = $1`,
    [playerId],
  );
  return rows[0];
}

/**
 * Deletes and returns the new players of the scope that are not processed yet. The deletion is part of the
 * transaction.
 */
export async function takeNewPlayers(
  tx: ClientBase,
  scope: Scope,
  limit: number,
): Promise<{ player_id: number; brand_id: number }[]> {
  const of = scoped(scope);
  const { rows } = await tx.query<{ player_id: number; brand_id: number }>({
    name: of.named('take_new_players'),
    text: `delete from new_player where player_id in (
             select player_id from new_player where ${of.has('player_id', 1)} and ${of.leavesOut('player_id', 3)} order by player_id limit $2)
           returning player_id, brand_id`,
    values: [of.ids, limit, of.except],
  });
  return rows;
}
