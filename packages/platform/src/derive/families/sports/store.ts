import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf } from '../../../database/index.ts';
import { factTable } from '../../facts/index.ts';
import { inBase } from '../../money.ts';
import { type Activity, displayedVersion, inForce } from './activity.ts';
import { type Bet, isCounted } from './bet.ts';
import { betKeyOf } from './decide.ts';

/** An activity as stored: the row of live.sports_activity. */
interface StoredActivity extends Activity {
  bet_key: string;
  in_force: boolean;
  /** The time of the version by which it is shown. */
  at: Micros;
  day: string;
  base_amount: DecimalText;
}

export const activityTable = factTable<Activity, 'player_id' | 'activity_key', StoredActivity>({
  name: 'sports_activity',
  key: { player_id: 'bigint', activity_key: 'hash' },
  columns: { activity_id: 'text', type: 'text', approved: 'jsonb', rollbacks: 'jsonb' },
  unread: { bet_key: 'hash', in_force: 'boolean', at: 'timestamptz', day: 'date', base_amount: 'numeric' },
});

export function storedActivity(activity: Activity, timeZone: string): StoredActivity {
  const { timestamp, amount, exchange_rate } = displayedVersion(activity);
  return {
    ...activity,
    bet_key: betKeyOf(activity),
    in_force: inForce(activity) !== undefined,
    at: timestamp,
    day: dayOf(timeZone, timestamp),
    base_amount: inBase(amount, exchange_rate),
  };
}

/** Bets are computed from their activities, so they are not loaded before they are written. */
export const betTable = factTable<Bet, 'player_id' | 'bet_key', Bet & { counted: boolean }>({
  name: 'bet',
  key: { player_id: 'bigint', bet_key: 'hash' },
  columns: {
    bet_id: 'text',
    state: 'text',
    orphans: 'int',
    at: 'timestamptz',
    day: 'date',
    bet_type: 'text',
    live: 'boolean',
    free: 'boolean',
    risk_free: 'boolean',
    odds: 'numeric',
    amount: 'numeric',
    currency: 'text',
    exchange_rate: 'numeric',
    base_amount: 'numeric',
    base_payout: 'numeric',
    settlement_count: 'int',
    cashout_count: 'int',
    settled_at: 'timestamptz',
    conflicts: 'int',
    sports_name: 'text',
  },
  unread: { counted: 'boolean' },
});

export function storedBet(bet: Bet): Bet & { counted: boolean } {
  return { ...bet, counted: isCounted(bet) };
}

export interface ActivityRef {
  player_id: number;
  activity_key: string;
  bet_key: string;
}

const refs = columnsOf<ActivityRef>({ player_id: 'bigint', activity_key: 'hash', bet_key: 'hash' });
// `offset 0` keeps the planner from joining whole tables. Each key is then one index lookup.
const loadStatement = `
  with k as (select * from ${refs.given('k')}),
  touched as (
    select player_id, bet_key from k
    union
    select k.player_id, a.bet_key
    from k cross join lateral (
      select bet_key from sports_activity where player_id = k.player_id and activity_key = k.activity_key offset 0
    ) a
  )
  select ${activityTable.columns.read('a')}
  from touched t cross join lateral (
    select * from sports_activity where player_id = t.player_id and bet_key = t.bet_key offset 0
  ) a`;

/** All activities, by `keyOf`, of the given bets and of the bets that the given activities belong to. */
export async function loadActivities(tx: ClientBase, named: readonly ActivityRef[]): Promise<Map<string, Activity>> {
  const { rows } = await tx.query<Activity>({
    name: 'load_sports_activities',
    text: loadStatement,
    values: refs.values(named),
  });
  return new Map(rows.map((row) => [activityTable.keyOf(row), row]));
}

/**
 * One row per stake and per payout that counts, as `TotalsSpec.facts` requires. The stake comes from the row of a bet
 * whose Bet is in force. Indexes on `at` and on the player lead to both.
 */
export const countedActivities = `
  select player_id, at, day, sports_name, base_amount as bet_biggest, null::numeric as win_biggest, at as bet_at, null::timestamptz as win_at
  from bet where counted
  union all
  select a.player_id, a.at, a.day, b.sports_name, null, a.base_amount, null, a.at
  from sports_activity a join bet b on b.player_id = a.player_id and b.bet_key = a.bet_key
  where a.type = 'Settlement' and a.in_force and a.base_amount > 0 and b.counted`;
