import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf } from '../../../database/index.ts';
import { factTable } from '../../facts/index.ts';
import type { Session, SessionScope } from './session.ts';
import type { Span } from './session-round.ts';
import type { Stretch } from './sweep.ts';
import { reachOf, type TrackWork } from './tracks.ts';

export const sessionTable = factTable<Session, 'player_id' | 'scope' | 'started_at' | 'vendor_id' | 'game_id'>({
  name: 'session',
  key: { player_id: 'bigint', scope: 'text', started_at: 'timestamptz', vendor_id: 'text', game_id: 'text' },
  columns: {
    ended_at: 'timestamptz',
    day: 'date',
    round_count: 'int',
    bet_count: 'int',
    bet_sum: 'numeric',
    win_sum: 'numeric',
  },
});

/** Where to look for sessions or rounds of a track. */
interface TrackSpan {
  track: number;
  player_id: number;
  scope: SessionScope;
  vendor_id: string;
  game_id: string;
  since: Micros;
  until: Micros;
}

const trackSpans = columnsOf<TrackSpan>({
  track: 'int',
  player_id: 'bigint',
  scope: 'text',
  vendor_id: 'text',
  game_id: 'text',
  since: 'timestamptz',
  until: 'timestamptz',
});

/**
 * The sessions that touch the reach of the changed rounds, by the place of their track in `works`.
 *
 * Sessions of a track do not overlap, so the first that can touch a span is the last that began before it. That takes
 * one index lookup, regardless of the length of the player's history. Game sessions are found through the play session
 * that contains them, which saves an index by game. `offset 0` forces the planner to use these lookups: otherwise it
 * scans the whole table for a large batch, which took 530 ms for 880 tracks among 1.2 million sessions.
 */
export async function loadSessions(tx: ClientBase, works: readonly TrackWork[]): Promise<Session[][]> {
  const { rows } = await tx.query<Found & Session>({
    name: 'load_sessions',
    text: `select k.track, ${sessionTable.columns.read('s')}
           from ${trackSpans.given('k')}
           cross join lateral (
             select * from session s
             where s.player_id = k.player_id and s.scope = k.scope
               and s.started_at >= coalesce(
                 (select p.started_at from session p
                  where p.player_id = k.player_id and p.scope = 'play' and p.started_at <= k.since
                  order by p.started_at desc limit 1), k.since)
               and s.started_at <= k.until and s.ended_at >= k.since
               and s.vendor_id = k.vendor_id and s.game_id = k.game_id
             offset 0
           ) s`,
    values: trackSpans.values(spansOfTracks(works, works.map(reachOf))),
  });
  // A session that reaches from one span to another of the same track is found from both.
  const held = works.map(() => new Map<Micros, Session>());
  for (const { track, ...row } of rows) {
    held[track]?.set(row.started_at, row);
  }
  return held.map((sessions) => [...sessions.values()]);
}

/** The stretches of all rounds that were played within the given spans, by the place of their track in `works`. */
export async function loadStretches(
  tx: ClientBase,
  works: readonly TrackWork[],
  grounds: readonly (readonly Span[])[],
): Promise<Stretch[][]> {
  const { rows } = await tx.query<Found & Counted & { first_at: Micros; last_at: Micros; begins: boolean }>({
    name: 'load_session_stretches',
    // A long round is found by either of its ends, which are separate moments. `offset 0` as above.
    text: `select k.track, r.*
           from ${trackSpans.given('k')}
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
    values: trackSpans.values(spansOfTracks(works, grounds)),
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

function spansOfTracks(works: readonly TrackWork[], spans: readonly (readonly Span[])[]): TrackSpan[] {
  return works.flatMap(({ track: { player_id, scope, vendor_id, game_id } }, track) =>
    (spans[track] ?? []).map(({ from, to }) => {
      return { track, player_id, scope, vendor_id, game_id, since: from, until: to };
    }),
  );
}
