import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { Activity, ActivityDetails, ActivityType } from './activity.ts';
import { betKey, conflictsOf, displayedVersion } from './activity.ts';
import type { Bet, BetState } from './bet.ts';

/** One bet as shown to people. Times are Micros; base_amount and base_payout are in the brand's base currency. */
export interface ListedBet extends Omit<Bet, 'player_id' | 'bet_key' | 'day' | 'sports_name'> {
  /** base_payout - base_amount; null while nothing was paid, and for a bet that does not count. */
  base_result: DecimalText | null;
  /** The fields of the Bet besides its money; null for an orphan. */
  details: ActivityDetails | null;
  activities: ListedActivity[];
  token: string;
}

export interface ListedActivity {
  activity_id: string;
  type: ActivityType;
  /** True if it is Approved and not rolled back. */
  in_force: boolean;
  rolled_back: boolean;
  cashout: boolean;
  at: Micros;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  outcomes: unknown;
  conflicts: number;
}

export interface BetFilter {
  state?: BetState;
  /** Selects one bet by the activity_id of its Bet. */
  bet_id?: string;
  live?: boolean;
  free?: boolean;
  /** Only bets with, or without, settlements or rollbacks whose counterpart is missing. */
  orphan?: boolean;
  /** Only bets with conflicting versions. */
  conflicting?: boolean;
  /** Bounds of the bet's date, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/**
 * Maximum number of activities shown per bet, the oldest first. Otherwise an operator that always refers to the same id
 * would make a page grow without limit.
 */
export const activitiesShown = 100;

/** The player's bets, newest first; `before` is the token of the last one of the previous page. */
export async function listBets(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
  filter: BetFilter,
  limit: number,
  before?: string,
): Promise<ListedBet[]> {
  const place = before === undefined ? undefined : readToken(before);
  const { rows } = await db.query<BetRow>(
    `select encode(b.bet_key, 'hex') as key, bet_id, state, orphans, b.at, bet_type, live, free, risk_free, odds, amount,
            currency, exchange_rate, b.base_amount, base_payout,
            case when state in ('settled', 'cashed_out') then trim_scale(base_payout - b.base_amount) end as base_result,
            settlement_count, cashout_count, settled_at, conflicts,
            d.details, a.activities
     from bet b
     left join lateral (
       select approved -> 0 -> 'details' as details from sports_activity
       where player_id = b.player_id and bet_key = b.bet_key and type = 'Bet' limit 1
     ) d on true
     cross join lateral (
       select jsonb_agg(to_jsonb(one)) as activities from (
         select activity_id, type, in_force, base_amount::text as base_amount, approved, rollbacks
         from sports_activity
         where player_id = b.player_id and bet_key = b.bet_key
         order by at, activity_key
         limit $11
       ) one
     ) a
     where b.player_id = $1
       and ($2::text is null or b.bet_key = decode($2, 'hex'))
       and ($3::text is null or state = $3)
       and ($4::boolean is null or live = $4)
       and ($5::boolean is null or free = $5)
       and ($6::boolean is null or (orphans > 0) = $6)
       and ($7::boolean is null or (conflicts > 0) = $7)
       and b.at >= coalesce($8::timestamptz, '-infinity')
       and b.at <= least($9::timestamptz, $10::timestamptz, 'infinity')
       and ($10::timestamptz is null or (b.at, b.bet_key) < ($10, decode($12, 'hex')))
     order by b.at desc, b.bet_key desc
     limit $13`,
    [
      playerId,
      filter.bet_id === undefined ? null : betKey(filter.bet_id),
      filter.state ?? null,
      filter.live ?? null,
      filter.free ?? null,
      filter.orphan ?? null,
      filter.conflicting ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(place?.at),
      activitiesShown,
      place?.key ?? null,
      limit,
    ],
  );
  return rows.map(({ key, activities, ...row }) => {
    return { ...row, activities: activities.map(listedActivity), token: `${row.at}-${key}` };
  });
}

type BetRow = Omit<ListedBet, 'activities' | 'token'> & { key: string; activities: ActivityRow[] };
type ActivityRow = Activity & Pick<ListedActivity, 'in_force' | 'base_amount'>;

function listedActivity(row: ActivityRow): ListedActivity {
  const { activity_id, type, in_force, base_amount, rollbacks } = row;
  const { timestamp, amount, currency, exchange_rate, details } = displayedVersion(row);
  return {
    activity_id,
    type,
    in_force,
    rolled_back: rollbacks.length > 0,
    cashout: details?.cashout === true,
    at: timestamp,
    amount,
    currency,
    exchange_rate,
    base_amount,
    outcomes: details?.outcomes ?? null,
    conflicts: conflictsOf(row),
  };
}

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}

/** @throws {RangeError} if the text is not a token of `listBets` */
function readToken(token: string): { at: Micros; key: string } {
  const match = /^(-?\d{1,16})-([0-9a-f]{32})$/.exec(token);
  if (match === null) throw new RangeError('the page token does not belong to this list');
  return { at: Number(match[1]), key: match[2] as string };
}
