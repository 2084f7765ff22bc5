import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { Session } from './session.ts';
import type { Span } from './session-round.ts';
import type { Stretch } from './sweep.ts';
import { reachOf, type TrackWork } from './tracks.ts';

/**
 * The sessions that touch what the changed rounds reach, by the place of their track in `works`.
 *
 * Sessions of a track are disjoint, so the first that can touch a stretch is the last that began before it: one step in the
 * index, however long the player's past. Game sessions are found through the play session they lie in, which saves an index
 * by game. `offset 0` makes the planner take these steps: left alone, it reads the whole table once for a large batch, which
 * took 530 ms for 880 tracks among 1.2 million sessions.
 */
export async function loadSessions(tx: ClientBase, works: readonly TrackWork[]): Promise<Session[][]> {
  const { rows } = await tx.query<Found & Omit<Session, 'player_id' | 'scope' | 'vendor_id' | 'game_id'>>({
    name: 'load_sessions',
    text: `select k.track, s.*
           from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
             as k(track, player_id, scope, vendor_id, game_id, since, until)
           cross join lateral (
             select started_at, ended_at, day, round_count, bet_count, bet_sum, win_sum
             from session s
             where s.player_id = k.player_id and s.scope = k.scope
               and s.started_at >= coalesce(
                 (select p.started_at from session p
                  where p.player_id = k.player_id and p.scope = 'play' and p.started_at <= k.since
                  order by p.started_at desc limit 1), k.since)
               and s.started_at <= k.until and s.ended_at >= k.since
               and s.vendor_id = k.vendor_id and s.game_id = k.game_id
             offset 0
           ) s`,
    values: spansOfTracks(works, works.map(reachOf)),
  });
  // A session that reaches from one span to another of the same track is found from both.
  const held = works.map(() => new Map<Micros, Session>());
  for (const { track, ...row } of rows) {
    const work = works[track];
    if (work !== undefined) held[track]?.set(row.started_at, { ...work.track, ...row });
  }
  return held.map((sessions) => [...sessions.values()]);
}

/** The stretches of all rounds that were played on the given ground, by the place of their track in `works`. */
export async function loadStretches(
  tx: ClientBase,
  works: readonly TrackWork[],
  grounds: readonly (readonly Span[])[],
): Promise<Stretch[][]> {
  const { rows } = await tx.query<Found & Counted & { first_at: Micros; last_at: Micros; begins: boolean }>({
    name: 'load_session_stretches',
    // A long round is found by either of its ends, which are points of their own. `offset 0` as above.
    text: `select k.track, r.*
           from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
             as k(track, player_id, scope, vendor_id, game_id, since, until)
           cross join lateral (
             (select first_at, case when long_end_at is null then last_at else first_at end as last_at, true as begins,
                     bet_count, bet_sum, win_sum
              from round
              where player_id = k.player_id and first_at between k.since and k.until and played
                and (k.scope = 'play' or (vendor_id = k.vendor_id and game_id = k.game_id))
              offset 0)
             union all
             (select long_end_at, long_end_at, false, 0, 0, 0
              from round
              where player_id = k.player_id and long_end_at between k.since and k.until and played
                and (k.scope = 'play' or (vendor_id = k.vendor_id and game_id = k.game_id))
              offset 0)
           ) r`,
    values: spansOfTracks(works, grounds),
  });
  const stretches = works.map((): Stretch[] => []);
  for (const { track, first_at, last_at, begins, bet_count, bet_sum, win_sum } of rows) {
    const played = begins ? { round_count: 1, bet_count, bet_sum, win_sum } : null;
    stretches[track]?.push({ from: first_at, to: last_at, played });
  }
  return stretches;
}

interface Found {
  track: number;
}

type Counted = Pick<Session, 'bet_count' | 'bet_sum' | 'win_sum'>;

function spansOfTracks(works: readonly TrackWork[], spans: readonly (readonly Span[])[]) {
  const asked = works.flatMap(({ track }, place) => (spans[place] ?? []).map((span) => ({ place, track, span })));
  return [
    asked.map(({ place }) => place),
    asked.map(({ track }) => track.player_id),
    asked.map(({ track }) => track.scope),
    asked.map(({ track }) => track.vendor_id),
    asked.map(({ track }) => track.game_id),
    asked.map(({ span }) => span.from),
    asked.map(({ span }) => span.to),
  ];
}

export async function saveSessions(tx: ClientBase, sessions: readonly Session[]): Promise<void> {
  await tx.query({
    name: 'save_sessions',
    text: `insert into session (player_id, scope, started_at, vendor_id, game_id, ended_at, day, round_count, bet_count,
                                bet_sum, win_sum)
           select * from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::timestamptz[],
                                $7::date[], $8::int[], $9::int[], $10::numeric[], $11::numeric[])
           on conflict (player_id, scope, started_at, vendor_id, game_id) do update set
             ended_at = excluded.ended_at, round_count = excluded.round_count, bet_count = excluded.bet_count,
             bet_sum = excluded.bet_sum, win_sum = excluded.win_sum`,
    values: [
      ...keysOf(sessions),
      sessions.map((s) => s.ended_at),
      sessions.map((s) => s.day),
      sessions.map((s) => s.round_count),
      sessions.map((s) => s.bet_count),
      sessions.map((s) => s.bet_sum),
      sessions.map((s) => s.win_sum),
    ],
  });
}

export async function deleteSessions(tx: ClientBase, sessions: readonly Session[]): Promise<void> {
  await tx.query({
    name: 'delete_sessions',
    text: `delete from session s
           using unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
             as k(player_id, scope, started_at, vendor_id, game_id)
           where s.player_id = k.player_id and s.scope = k.scope and s.started_at = k.started_at
             and s.vendor_id = k.vendor_id and s.game_id = k.game_id`,
    values: keysOf(sessions),
  });
}

function keysOf(sessions: readonly Session[]) {
  return [
    sessions.map((s) => s.player_id),
    sessions.map((s) => s.scope),
    sessions.map((s) => s.started_at),
    sessions.map((s) => s.vendor_id),
    sessions.map((s) => s.game_id),
  ];
}
