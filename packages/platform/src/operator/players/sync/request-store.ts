import type { ClientBase, Pool } from 'pg';
import type { LookUp } from '../../judging/index.ts';
import type { Lane } from './lane.ts';

export interface LookUpRequest {
  player_id: number;
  brand_id: number;
  look_up: LookUp;
  lane: Lane;
  /**
   * If true, changes in the answer start no campaign. True for a request of an imported event, and of a list that created the player.
   * Default: false.
   */
  silent?: boolean;
}

/**
 * Requests look-ups, in the caller's transaction: they are due as soon as it commits, and not at all if it rolls back.
 *
 * A request made while a look-up of the same kind is open only increases a count. The count causes exactly one more look-up
 * after it (see `settle`). Every event requests look-ups, even a retry of an earlier one. By kind and time, a retry looks
 * the same as a second exclusion in the same second. An extra look-up costs less than an exclusion that is never fetched. If
 * one of the requests is not silent, the answer is not silent, whichever request it answers. Rows are locked in the order of
 * their key, as everywhere in this stage.
 */
export async function requestLookUps(db: Pool | ClientBase, requests: readonly LookUpRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const each = oncePerLookUp(requests);
  await db.query({
    name: 'request_look_ups',
    text: `insert into player_sync as s (player_id, look_up, brand_id, lane, silent, due_at)
           select player_id, look_up, brand_id, lane, silent, now()
             from unnest($1::bigint[], $2::text[], $3::int[], $4::smallint[], $5::boolean[])
                    as r (player_id, look_up, brand_id, lane, silent)
            order by player_id, look_up
           on conflict (player_id, look_up) do update
              set requested = s.requested + 1,
                  lane = case when s.requested > s.done then least(s.lane, excluded.lane) else excluded.lane end,
                  silent = excluded.silent and (s.silent or s.requested = s.done),
                  attempts = 0,
                  tries = 0,
                  parked = false,
                  due_at = case when s.claim is null then excluded.due_at else s.due_at end`,
    values: [
      each.map((request) => request.player_id),
      each.map((request) => request.look_up),
      each.map((request) => request.brand_id),
      each.map((request) => request.lane),
      each.map((request) => request.silent ?? false),
    ],
  });
}

/**
 * The same for callers that have a player's id: a person, a run, a decision. Requests nothing for an erased player. Derive does not need
 * this check, because it has already left out the events of erased players.
 *
 * It does not lock the player, because an erasure takes these locks in another order. If an erasure has just overtaken the
 * transaction, its step `settling` deletes the request a minute later.
 */
export async function requestUnlessErased(db: Pool | ClientBase, requests: readonly LookUpRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const { rows } = await db.query<{ player_id: number }>({
    name: 'erased_among',
    text: 'select player_id from player where player_id = any($1::bigint[]) and erased_at is not null',
    values: [[...new Set(requests.map(({ player_id }) => player_id))]],
  });
  const erased = new Set(rows.map(({ player_id }) => player_id));
  await requestLookUps(
    db,
    requests.filter(({ player_id }) => !erased.has(player_id)),
  );
}

/**
 * Keeps the most urgent request per player and look-up; it is silent only if all are. Each event of a new player requests all
 * three, so a batch may contain some thousand of them.
 */
function oncePerLookUp(requests: readonly LookUpRequest[]): LookUpRequest[] {
  const first = new Map<string, LookUpRequest>();
  for (const request of requests) {
    const key = `${request.player_id} ${request.look_up}`;
    const known = first.get(key);
    if (known === undefined) {
      first.set(key, request);
      continue;
    }
    const urgent = request.lane < known.lane ? request : known;
    first.set(key, { ...urgent, silent: Boolean(request.silent && known.silent) });
  }
  return [...first.values()];
}

/** Which of these players have been looked up, or have a pending look-up. */
export async function knownPlayers(db: ClientBase, playerIds: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ player_id: number }>({
    name: 'players_known_to_sync',
    text: `select player_id from player_sync where player_id = any($1::bigint[]) and look_up = 'details'`,
    values: [playerIds],
  });
  return rows.map((row) => row.player_id);
}
