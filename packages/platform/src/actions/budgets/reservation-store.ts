import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { Budget, Use } from './budget.ts';

/** SQL statements on the reservations of intents. */

export const budgetColumns = `budget_id, brand_id, name, scope, activity_id, window_days, limit_amount, limit_count, bonus_values,
  alarm_percent`;

export type ReservationState = 'reserved' | 'spent' | 'released';

export interface Reservation {
  intent_id: string;
  budget_id: number;
  holder: number;
  player_id: number;
  amount: DecimalText;
  exchange_rate: DecimalText | null;
}

export interface UseKey {
  budget_id: number;
  holder: number;
}

export async function openBudgets(tx: ClientBase | Pool, brandIds: readonly number[]): Promise<Budget[]> {
  const { rows } = await tx.query<Budget>({
    name: 'open_budgets',
    text: `select ${budgetColumns} from bonus_budget where brand_id = any ($1::int[]) and closed_at is null order by budget_id`,
    values: [brandIds],
  });
  return rows;
}

/** Intents that already hold a reservation: a second call of an intent takes nothing more. */
export async function holdingIntents(tx: ClientBase, intentIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ intent_id: string }>({
    name: 'holding_intents',
    text: `select distinct intent_id from bonus_reservation where intent_id = any ($1::uuid[]) and state <> 'released'`,
    values: [intentIds],
  });
  return new Set(rows.map(({ intent_id }) => intent_id));
}

/**
 * Locks the use of budgets until the transaction ends, in the order of their keys, so that two transactions never deadlock. A
 * later read sees everything that earlier holders of the locks committed.
 */
export async function lockUses(tx: ClientBase, keys: readonly UseKey[]): Promise<void> {
  const values = [keys.map(({ budget_id }) => budget_id), keys.map(({ holder }) => holder)];
  await tx.query({
    name: 'make_budget_uses',
    text: `insert into bonus_budget_use (budget_id, holder)
           select distinct budget_id, holder from unnest($1::int[], $2::bigint[]) k(budget_id, holder) order by 1, 2
           on conflict do nothing`,
    values,
  });
  await tx.query({
    name: 'lock_budget_uses',
    text: `select from bonus_budget_use u
           where (budget_id, holder) in (select * from unnest($1::int[], $2::bigint[]))
           order by budget_id, holder for no key update`,
    values,
  });
}

/** What each holder has used since `since`, or in total if that is null. By `budget_id:holder`. */
export async function readUses(
  tx: ClientBase,
  keys: readonly (UseKey & { since: Micros | null })[],
): Promise<Map<string, Use>> {
  const { rows } = await tx.query<UseKey & Use>({
    name: 'read_budget_uses',
    text: `select k.budget_id, k.holder, w.amount, w.count
           from unnest($1::int[], $2::bigint[], $3::timestamptz[]) k(budget_id, holder, since)
           cross join lateral (
             select reserved_amount + spent_amount as amount, reserved_count + spent_count as count
             from bonus_budget_use u
             where k.since is null and u.budget_id = k.budget_id and u.holder = k.holder
             union all
             select coalesce(sum(amount), 0), count(*)
             from bonus_reservation r
             where r.budget_id = k.budget_id and r.holder = k.holder and r.at > k.since and r.state <> 'released'
             having k.since is not null
           ) w`,
    values: [
      keys.map(({ budget_id }) => budget_id),
      keys.map(({ holder }) => holder),
      keys.map(({ since }) => (since === null ? null : timestamptzText(since))),
    ],
  });
  return new Map(rows.map(({ budget_id, holder, amount, count }) => [`${budget_id}:${holder}`, { amount, count }]));
}

/** Stores reservations. If an earlier reservation of the intent was released, it is replaced. */
export async function insertReservations(tx: ClientBase, rows: readonly Reservation[], at: Micros): Promise<void> {
  await tx.query({
    name: 'insert_reservations',
    text: `with added as (
             insert into bonus_reservation (intent_id, budget_id, holder, player_id, state, amount, exchange_rate, at)
             select intent_id, budget_id, holder, player_id, 'reserved', amount, exchange_rate, $2
             from jsonb_to_recordset($1::jsonb)
               as r(intent_id uuid, budget_id int, holder bigint, player_id bigint, amount numeric, exchange_rate numeric)
             on conflict (intent_id, budget_id) do update set
               state = 'reserved', amount = excluded.amount, exchange_rate = excluded.exchange_rate, at = excluded.at
             returning budget_id, holder, amount
           )
           update bonus_budget_use u
           set reserved_amount = reserved_amount + a.amount, reserved_count = reserved_count + a.count
           from (select budget_id, holder, sum(amount) as amount, count(*) as count from added group by 1, 2) a
           where u.budget_id = a.budget_id and u.holder = a.holder`,
    values: [JSON.stringify(rows), timestamptzText(at)],
  });
}

/** Returns the reservations of these intents that are not in this state. */
export async function reservationsNotIn(
  tx: ClientBase,
  intentIds: readonly string[],
  state: ReservationState,
): Promise<UseKey[]> {
  const { rows } = await tx.query<UseKey>({
    name: 'reservations_not_in',
    text: `select budget_id, holder from bonus_reservation where intent_id = any ($1::uuid[]) and state <> $2`,
    values: [intentIds, state],
  });
  return rows;
}

/** Call it with the uses locked. Moving a reservation to its current state has no effect. */
export async function moveReservations(
  tx: ClientBase,
  intentIds: readonly string[],
  state: ReservationState,
): Promise<void> {
  await tx.query({
    name: 'move_reservations',
    text: `with held as (
             select intent_id, budget_id, holder, state, amount from bonus_reservation
             where intent_id = any ($1::uuid[]) and state <> $2
             order by intent_id, budget_id for no key update
           ), moved as (
             update bonus_reservation r set state = $2 from held h
             where r.intent_id = h.intent_id and r.budget_id = h.budget_id
             returning h.budget_id, h.holder, h.state as left_state, h.amount
           )
           update bonus_budget_use u
           set reserved_amount = u.reserved_amount + m.reserved_amount, reserved_count = u.reserved_count + m.reserved_count,
               spent_amount = u.spent_amount + m.spent_amount, spent_count = u.spent_count + m.spent_count
           from (
             select budget_id, holder,
                    sum(amount * ((($2 = 'reserved')::int) - (left_state = 'reserved')::int)) as reserved_amount,
                    sum((($2 = 'reserved')::int) - (left_state = 'reserved')::int) as reserved_count,
                    sum(amount * ((($2 = 'spent')::int) - (left_state = 'spent')::int)) as spent_amount,
                    sum((($2 = 'spent')::int) - (left_state = 'spent')::int) as spent_count
             from moved group by 1, 2
           ) m
           where u.budget_id = m.budget_id and u.holder = m.holder`,
    values: [intentIds, state],
  });
}
