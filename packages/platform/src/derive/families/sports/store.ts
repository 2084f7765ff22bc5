import { dayOf } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { inBase } from '../../money.ts';
import { type Activity, displayedVersion, inForce } from './activity.ts';
import type { Bet } from './bet.ts';
import { betKeyOf, keyOf, type SportsDecision } from './decide.ts';

export interface ActivityRef {
  player_id: number;
  activity_key: string;
  bet_key: string;
}

/** All activities, by `nameOf`, of the bets that are named and of those that the named activities belong to. */
export async function loadActivities(tx: ClientBase, refs: readonly ActivityRef[]): Promise<Map<string, Activity>> {
  // `offset 0` keeps the planner from joining whole tables: each key is a step in the index.
  const { rows } = await tx.query<Activity>({
    name: 'load_sports_activities',
    text: `with k as (select * from unnest($1::bigint[], $2::text[], $3::text[]) as k(player_id, activity_key, bet_key)),
           touched as (
             select player_id, decode(bet_key, 'hex') as bet_key from k
             union
             select k.player_id, a.bet_key
             from k cross join lateral (
               select bet_key from sports_activity
               where player_id = k.player_id and activity_key = decode(k.activity_key, 'hex') offset 0
             ) a
           )
           select a.player_id, encode(a.activity_key, 'hex') as activity_key, a.activity_id, a.type, a.approved, a.rollbacks
           from touched t cross join lateral (
             select * from sports_activity where player_id = t.player_id and bet_key = t.bet_key offset 0
           ) a`,
    values: [refs.map((r) => r.player_id), refs.map((r) => r.activity_key), refs.map((r) => r.bet_key)],
  });
  return new Map(rows.map((row) => [keyOf(row), row]));
}

export async function saveActivities(tx: ClientBase, changed: SportsDecision['activities']): Promise<void> {
  const rows = changed.map(({ activity, timeZone }) => ({ ...activity, ...displayColumns(activity, timeZone) }));
  await tx.query({
    name: 'save_sports_activities',
    text: `insert into sports_activity
             (player_id, activity_key, bet_key, activity_id, type, in_force, at, day, base_amount, approved, rollbacks)
           select player_id, decode(activity_key, 'hex'), decode(bet_key, 'hex'), activity_id, type, in_force, at, day,
                  base_amount, approved, rollbacks
           from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::timestamptz[],
                       $8::date[], $9::numeric[], $10::jsonb[], $11::jsonb[])
             as a(player_id, activity_key, bet_key, activity_id, type, in_force, at, day, base_amount, approved, rollbacks)
           on conflict (player_id, activity_key) do update set
             bet_key = excluded.bet_key, in_force = excluded.in_force, at = excluded.at, day = excluded.day,
             base_amount = excluded.base_amount, approved = excluded.approved, rollbacks = excluded.rollbacks`,
    values: [
      rows.map((r) => r.player_id),
      rows.map((r) => r.activity_key),
      rows.map((r) => r.bet_key),
      rows.map((r) => r.activity_id),
      rows.map((r) => r.type),
      rows.map((r) => r.in_force),
      rows.map((r) => r.at),
      rows.map((r) => r.day),
      rows.map((r) => r.base_amount),
      rows.map((r) => JSON.stringify(r.approved)),
      rows.map((r) => JSON.stringify(r.rollbacks)),
    ],
  });
}

function displayColumns(activity: Activity, timeZone: string) {
  const { timestamp, amount, exchange_rate } = displayedVersion(activity);
  return {
    bet_key: betKeyOf(activity),
    in_force: inForce(activity) !== undefined,
    at: timestamp,
    day: dayOf(timeZone, timestamp),
    base_amount: inBase(amount, exchange_rate),
  };
}

export async function saveBets(tx: ClientBase, bets: readonly Bet[]): Promise<void> {
  await tx.query({
    name: 'save_bets',
    text: `insert into bet
             (player_id, bet_key, bet_id, state, counted, orphans, at, day, bet_type, live, free, risk_free, odds, amount,
              currency, exchange_rate, base_amount, base_payout, settlement_count, cashout_count, settled_at, conflicts,
              sports_name)
           select player_id, decode(bet_key, 'hex'), bet_id, state, state in ('open', 'settled', 'cashed_out'), orphans, at,
                  day, bet_type, live, free, risk_free, odds, amount, currency, exchange_rate, base_amount, base_payout,
                  settlement_count, cashout_count, settled_at, conflicts, sports_name
           from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::date[],
                       $8::text[], $9::boolean[], $10::boolean[], $11::boolean[], $12::numeric[], $13::numeric[],
                       $14::text[], $15::numeric[], $16::numeric[], $17::numeric[], $18::int[], $19::int[],
                       $20::timestamptz[], $21::int[], $22::text[])
             as b(player_id, bet_key, bet_id, state, orphans, at, day, bet_type, live, free, risk_free, odds, amount,
                  currency, exchange_rate, base_amount, base_payout, settlement_count, cashout_count, settled_at,
                  conflicts, sports_name)
           on conflict (player_id, bet_key) do update set
             state = excluded.state, counted = excluded.counted, orphans = excluded.orphans, at = excluded.at,
             day = excluded.day, bet_type = excluded.bet_type, live = excluded.live, free = excluded.free,
             risk_free = excluded.risk_free, odds = excluded.odds, amount = excluded.amount,
             currency = excluded.currency, exchange_rate = excluded.exchange_rate, base_amount = excluded.base_amount,
             base_payout = excluded.base_payout, settlement_count = excluded.settlement_count,
             cashout_count = excluded.cashout_count, settled_at = excluded.settled_at, conflicts = excluded.conflicts,
             sports_name = excluded.sports_name`,
    values: [
      bets.map((b) => b.player_id),
      bets.map((b) => b.bet_key),
      bets.map((b) => b.bet_id),
      bets.map((b) => b.state),
      bets.map((b) => b.orphans),
      bets.map((b) => b.at),
      bets.map((b) => b.day),
      bets.map((b) => b.bet_type),
      bets.map((b) => b.live),
      bets.map((b) => b.free),
      bets.map((b) => b.risk_free),
      bets.map((b) => b.odds),
      bets.map((b) => b.amount),
      bets.map((b) => b.currency),
      bets.map((b) => b.exchange_rate),
      bets.map((b) => b.base_amount),
      bets.map((b) => b.base_payout),
      bets.map((b) => b.settlement_count),
      bets.map((b) => b.cashout_count),
      bets.map((b) => b.settled_at),
      bets.map((b) => b.conflicts),
      bets.map((b) => b.sports_name),
    ],
  });
}

/** Bets whose activities all turned out to belong to others. */
export async function removeBets(tx: ClientBase, gone: SportsDecision['gone']): Promise<void> {
  await tx.query(
    `delete from bet b using unnest($1::bigint[], $2::text[]) as k(player_id, bet_key)
     where b.player_id = k.player_id and b.bet_key = decode(k.bet_key, 'hex')`,
    [gone.map((b) => b.player_id), gone.map((b) => b.bet_key)],
  );
}

/**
 * One row per stake and per payout that counts, as `TotalsSpec.facts` wants it: of a bet whose Bet is in force the row tells the
 * stake. `at` and the player lead to either by an index.
 */
export const countedActivities = `
  select player_id, at, day, sports_name, base_amount as bet_biggest, null::numeric as win_biggest, at as bet_at, null::timestamptz as win_at
  from bet where counted
  union all
  select a.player_id, a.at, a.day, b.sports_name, null, a.base_amount, null, a.at
  from sports_activity a join bet b on b.player_id = a.player_id and b.bet_key = a.bet_key
  where a.type = 'Settlement' and a.in_force and a.base_amount > 0 and b.counted`;
