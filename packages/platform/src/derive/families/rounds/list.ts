import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { Activity } from './activity.ts';
import { baseAmounts, multiplierOf, type RoundAmounts, userAmounts } from './amounts.ts';
import { decode } from './encode.ts';
import type { RoundMessage } from './message.ts';
import { messageInForce, type Round, type RoundState } from './round.ts';

export const roundStatuses = ['open', 'closed', 'void', 'unplayed'] as const;
/** `void`: everything was rolled back. `unplayed`: only rollbacks and contradictions. */
export type RoundStatus = (typeof roundStatuses)[number];

export const roundSources = ['casino', 'gameround', 'both'] as const;
/** The endpoints whose events it contains. */
export type RoundSource = (typeof roundSources)[number];

/** One round as shown to people. Times are Micros. */
export interface ListedRound {
  vendor_id: string;
  game_id: string;
  round_id: string;
  status: RoundStatus;
  source: RoundSource;
  first_at: Micros;
  last_at: Micros;
  bet_count: number;
  win_count: number;
  /** The amounts that count, in the brand's base currency; null if they are unknown. */
  base: RoundAmounts | null;
  /** In the player's currency; null if there are several. */
  user: RoundAmounts | null;
  multiplier: DecimalText | null;
  unpriced: boolean;
  conflicts: number;
  orphans: number;
  device_type: string | null;
  origin: string | null;
  activities: readonly Activity[];
  /** The message in force comes first. */
  messages: readonly RoundMessage[];
  token: string;
}

export interface RoundFilter {
  status?: RoundStatus;
  /** Only open rounds that began at this time or before. */
  open_since?: Micros;
  vendor_id?: string;
  game_id?: string;
  round_id?: string;
  source?: RoundSource;
  /** Only rounds that contain, or do not contain, a Rollback without its counterpart. */
  orphan?: boolean;
  conflicting?: boolean;
  unpriced?: boolean;
  /** Bounds of first_at, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/** The columns of a round that the lists read. */
export type RoundRow = Pick<
  RoundState,
  'first_at' | 'last_at' | 'day' | 'bet_count' | 'win_count' | 'unpriced' | 'conflicts' | 'orphans'
> &
  Pick<Round, 'round_key' | 'vendor_id' | 'game_id' | 'round_id'> & {
    status: RoundStatus;
    source: RoundSource;
    events: string;
  };

export const statusSql = `case when not played then 'unplayed' when not counted then 'void' when closed then 'closed' else 'open' end`;
const sourceSql = `case when not from_gameround then 'casino' when not from_casino then 'gameround' else 'both' end`;

/** The columns of a `RoundRow`. */
export const roundColumns = `round_key, vendor_id, game_id, round_id, first_at, last_at, day, bet_count, win_count, unpriced, conflicts,
            orphans, events, ${statusSql} as status, ${sourceSql} as source`;

/** The player's rounds, newest first; `before` is the token of the last one of the previous page. */
export async function listRounds(
  db: Pick<ClientBase, 'query'>,
  player: { player_id: number; base_currency: string },
  filter: RoundFilter,
  limit: number,
  before?: string,
): Promise<ListedRound[]> {
  const place = before === undefined ? undefined : readToken(before);
  const { rows } = await db.query<RoundRow>(
    `select ${roundColumns}
     from round
     where player_id = $1
       and ($2::text is null or ${statusSql} = $2)
       and ($3::timestamptz is null or (first_at <= $3 and counted and not closed))
       and ($4::text is null or vendor_id = $4)
       and ($5::text is null or game_id = $5)
       and ($6::text is null or round_id = $6)
       and ($7::text is null or ${sourceSql} = $7)
       and ($8::boolean is null or (orphans > 0) = $8)
       and ($9::boolean is null or (conflicts > 0) = $9)
       and ($10::boolean is null or unpriced = $10)
       and first_at >= coalesce($11::timestamptz, '-infinity')
       and first_at <= least($12::timestamptz, $13::timestamptz, 'infinity')
       and ($13::timestamptz is null or (first_at, round_key) < ($13, $14))
     order by first_at desc, round_key desc
     limit $15`,
    [
      player.player_id,
      filter.status ?? null,
      textOf(filter.open_since),
      filter.vendor_id ?? null,
      filter.game_id ?? null,
      filter.round_id ?? null,
      filter.source ?? null,
      filter.orphan ?? null,
      filter.conflicting ?? null,
      filter.unpriced ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(place?.at),
      place?.key ?? null,
      limit,
    ],
  );
  return rows.map((row) => listedRound(row, player));
}

export function listedRound(
  row: RoundRow,
  { player_id, base_currency }: { player_id: number; base_currency: string },
): ListedRound {
  const { round_key, day: _, events, ...shown } = row;
  const round: Round = { player_id, ...row, ...decode(events, row) };
  const base = baseAmounts(round, base_currency);
  const user = userAmounts(round, base_currency);
  const message = messageInForce(round);
  return {
    ...shown,
    base,
    user,
    multiplier: multiplierOf(base ?? user),
    device_type: message?.device_type ?? null,
    origin: round.activities[0]?.origin ?? message?.origin ?? null,
    activities: round.activities,
    messages: round.runs.flatMap(({ versions }) => versions),
    token: `${row.first_at}-${round_key}`,
  };
}

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}

/** @throws {RangeError} if the text is not a token of `listRounds` */
function readToken(token: string): { at: Micros; key: number } {
  const match = /^(-?\d{1,16})-(\d{1,16})$/.exec(token);
  if (match === null) throw new RangeError('the page token does not belong to this list');
  return { at: Number(match[1]), key: Number(match[2]) };
}
