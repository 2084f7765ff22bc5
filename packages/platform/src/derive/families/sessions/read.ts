import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { type Measures, type PlayerTotals, type Window, windowName } from '../../totals/index.ts';
import { daysOf, hoursOf } from '../../totals/window.ts';
import { type SessionScope, sessionScopes } from './session.ts';

const hour: Micros = 3_600_000_000;

/**
 * The sums over a player's sessions, in the form of totals. For each scope:
 *
 *   counts   <scope>_session_count
 *   sums     <scope>_session_length    seconds from beginning to end; 0 for a session of a single moment
 *   biggest  <scope>_session_longest    seconds
 *            <scope>_session_loss_biggest    bets minus wins of the session with the biggest loss
 *            <scope>_session_last_loss    the same of the latest session; negative if the player won
 *   dates    <scope>_session_first_at, <scope>_session_last_at: beginnings; lifetime only
 *
 * A session counts in the windows in which it began. There are no tables of totals: a player has one to three sessions
 * per day, so the rows themselves serve as totals, and joining or splitting sessions has nothing else to update.
 */
export async function readSessionTotals(
  db: Pool | ClientBase,
  player: { player_id: number; time_zone: string },
  now: Micros,
  windows: readonly Window[],
): Promise<PlayerTotals> {
  const bounds = windows.map((window) => boundsOf(window, now, player.time_zone));
  const { rows } = await db.query<Row>({
    name: 'read_session_totals',
    // A day is found by its time range, widened to cover the day in any time zone, because `day` is in no index.
    text: `select null as number, ${measured}
           from session s cross join lateral (${secondsOfSession}) l where player_id = $1 group by scope
           union all
           select number, ${measured}
           from unnest($2::date[], $3::date[], $4::timestamptz[], $5::timestamptz[]) with ordinality
             as w(first_day, last_day, since, until, number)
           cross join lateral (
             select * from session
             where player_id = $1 and scope = any ($6)
               and started_at >= greatest(w.since, w.first_day::timestamp at time zone 'UTC' - interval '15 hours')
               and started_at < w.until and day between w.first_day and w.last_day
             offset 0
           ) s cross join lateral (${secondsOfSession}) l
           group by number, scope`,
    values: [
      player.player_id,
      bounds.map(({ first_day }) => first_day),
      bounds.map(({ last_day }) => last_day),
      bounds.map(({ since }) => since),
      bounds.map(({ until }) => until),
      sessionScopes,
    ],
  });
  const byNumber = Map.groupBy(rows, ({ number }) => number);
  return {
    lifetime: measuresOf(byNumber.get(null) ?? []),
    windows: new Map(windows.map((window, i) => [windowName(window), measuresOf(byNumber.get(i + 1) ?? [])])),
  };
}

const secondsOfSession = 'select trim_scale(extract(epoch from s.ended_at - s.started_at)) as seconds';
const measured = `scope, count(*) as sessions, max(seconds) as longest, trim_scale(sum(seconds)) as seconds,
                  min(started_at) as first_at, max(started_at) as last_at,
                  trim_scale(max(bet_sum - win_sum) filter (where bet_sum > win_sum)) as loss_biggest,
                  trim_scale((array_agg(bet_sum - win_sum
                    order by started_at desc, vendor_id collate "C", game_id collate "C"))[1]) as last_loss`;

interface Row {
  /** The place of its window, from 1; null for the lifetime. */
  number: number | null;
  scope: SessionScope;
  sessions: number;
  seconds: DecimalText;
  longest: DecimalText;
  first_at: Micros;
  last_at: Micros;
  loss_biggest: DecimalText | null;
  last_loss: DecimalText;
}

interface Bounds {
  first_day: string;
  last_day: string;
  since: string;
  /** Exclusive. */
  until: string;
}

const everything: Bounds = { first_day: '-infinity', last_day: 'infinity', since: '-infinity', until: 'infinity' };

function boundsOf(window: Window, now: Micros, timeZone: string): Bounds {
  if (window.unit === 'days') {
    const [first_day, last_day] = daysOf(window, now, timeZone);
    return { ...everything, first_day, last_day };
  }
  const [first, last] = hoursOf(window.count, now);
  return { ...everything, since: timestamptzText(first), until: timestamptzText(last + hour) };
}

function measuresOf(rows: readonly Row[]): Measures {
  const of = (scope: SessionScope) => rows.find((row) => row.scope === scope);
  const each = <V>(columns: (prefix: string, row: Row | undefined) => Record<string, V>): Record<string, V> =>
    Object.assign({}, ...sessionScopes.map((scope) => columns(`${scope}_session`, of(scope))));
  return {
    counts: each((prefix, row) => ({ [`${prefix}_count`]: row?.sessions ?? 0 })),
    sums: each((prefix, row) => ({ [`${prefix}_length`]: row?.seconds ?? '0' })),
    biggest: each((prefix, row) => ({
      [`${prefix}_longest`]: row?.longest ?? null,
      [`${prefix}_loss_biggest`]: row?.loss_biggest ?? null,
      [`${prefix}_last_loss`]: row?.last_loss ?? null,
    })),
    dates: each((prefix, row) => ({
      [`${prefix}_first_at`]: row?.first_at ?? null,
      [`${prefix}_last_at`]: row?.last_at ?? null,
    })),
  };
}
