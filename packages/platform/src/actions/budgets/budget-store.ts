import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { Budget, Use } from './budget.ts';
import { budgetColumns } from './reservation-store.ts';

/** SQL statements on budgets themselves, for people who create, change, close and view them. */

export type NewBudget = Omit<Budget, 'budget_id'>;
export type BudgetChange = Partial<
  Pick<Budget, 'name' | 'limit_amount' | 'limit_count' | 'bonus_values' | 'alarm_percent'>
>;

interface MadeBudget extends Budget {
  created_at: Micros;
  created_by: string;
  closed_at: Micros | null;
}

export interface ListedBudget extends MadeBudget, BudgetUse {}

interface BudgetUse {
  reserved_amount: DecimalText;
  reserved_count: number;
  spent_amount: DecimalText;
  spent_count: number;
  /** For a player's limit: the number of players that have used some of it. */
  holders: number;
}

export async function insertBudget(
  tx: ClientBase,
  budget: NewBudget,
  { at, by }: { at: Micros; by: string },
): Promise<number> {
  const { rows } = await tx.query<{ budget_id: number }>(
    `insert into bonus_budget (brand_id, name, scope, activity_id, window_days, limit_amount, limit_count, bonus_values,
                               alarm_percent, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning budget_id`,
    [
      budget.brand_id,
      budget.name,
      budget.scope,
      budget.activity_id,
      budget.window_days,
      budget.limit_amount,
      budget.limit_count,
      JSON.stringify(budget.bonus_values),
      budget.alarm_percent,
      timestamptzText(at),
      by,
    ],
  );
  return rows[0]?.budget_id ?? 0;
}

/** Omitted fields keep their values. @returns false if the brand has no open budget with this number */
export async function updateBudget(
  tx: ClientBase,
  brandId: number,
  budgetId: number,
  change: BudgetChange,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update bonus_budget b
     set name = n.name, limit_amount = n.limit_amount, limit_count = n.limit_count, bonus_values = n.bonus_values,
         alarm_percent = n.alarm_percent
     from bonus_budget o, jsonb_populate_record(o, $3::jsonb) n
     where o.budget_id = b.budget_id and b.budget_id = $2 and b.brand_id = $1 and b.closed_at is null`,
    [brandId, budgetId, JSON.stringify(change)],
  );
  return rowCount === 1;
}

/** @returns false if the brand has no open budget with this number */
export async function closeBudget(tx: ClientBase, brandId: number, budgetId: number, at: Micros): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update bonus_budget set closed_at = $3 where budget_id = $2 and brand_id = $1 and closed_at is null',
    [brandId, budgetId, timestamptzText(at)],
  );
  return rowCount === 1;
}

/** The budgets of a brand, newest first, with numbers below `before`. */
export async function listBudgets(
  db: Pool | ClientBase,
  brandId: number,
  filter: { budget_id?: number; activity_id?: string | undefined; closed?: boolean | undefined },
  limit: number,
  before?: number,
): Promise<ListedBudget[]> {
  const { rows: budgets } = await db.query<MadeBudget>(
    `select ${budgetColumns}, created_at, created_by, closed_at
     from bonus_budget b
     where brand_id = $1 and ($2::int is null or budget_id = $2) and ($3::text is null or activity_id = $3)
       and ($4::boolean is null or (closed_at is not null) = $4) and ($5::int is null or budget_id < $5)
     order by budget_id desc limit $6`,
    [brandId, filter.budget_id ?? null, filter.activity_id ?? null, filter.closed ?? null, before ?? null, limit],
  );
  const { rows: uses } = await db.query<BudgetUse>(
    `select u.reserved_amount, u.reserved_count, u.spent_amount, u.spent_count, u.holders
     from unnest($1::int[]) with ordinality as b (budget_id, place)
     cross join lateral (
       select coalesce(sum(reserved_amount), 0) as reserved_amount, coalesce(sum(reserved_count), 0) as reserved_count,
              coalesce(sum(spent_amount), 0) as spent_amount, coalesce(sum(spent_count), 0) as spent_count,
              count(*) filter (where holder <> 0 and reserved_count + spent_count > 0) as holders
       from bonus_budget_use u where u.budget_id = b.budget_id
     ) u order by b.place`,
    [budgets.map(({ budget_id }) => budget_id)],
  );
  return budgets.map((budget, place) => ({ ...budget, ...(uses[place] as BudgetUse) }));
}

/** The reservations of an intent, for display. */
export async function reservationsOf(
  db: Pool | ClientBase,
  intentId: string,
): Promise<{ budget_id: number; name: string; state: string; amount: DecimalText; at: Micros }[]> {
  const { rows } = await db.query<{ budget_id: number; state: string; amount: DecimalText; at: Micros }>(
    'select budget_id, state, amount, at from bonus_reservation where intent_id = $1 order by budget_id',
    [intentId],
  );
  const { rows: named } = await db.query<{ budget_id: number; name: string }>(
    'select budget_id, name from bonus_budget where budget_id = any($1::int[])',
    [rows.map(({ budget_id }) => budget_id)],
  );
  const names = new Map(named.map(({ budget_id, name }) => [budget_id, name]));
  return rows.map(({ budget_id, ...held }) => ({ budget_id, name: names.get(budget_id) ?? '', ...held }));
}

/** Open limits of a player, with what the player has used of each, in its window or in total. */
export async function playerUses(
  db: Pool | ClientBase,
  { brand_id, player_id }: { brand_id: number; player_id: number },
  at: Micros,
): Promise<(Budget & Use)[]> {
  const { rows: budgets } = await db.query<Budget>(
    `select ${budgetColumns} from bonus_budget b
     where b.brand_id = $1 and b.scope = 'player' and b.closed_at is null order by budget_id`,
    [brand_id],
  );
  const { rows: uses } = await db.query<Use>(
    `select w.amount, w.count
     from unnest($1::int[], $2::int[]) with ordinality as b (budget_id, window_days, place)
     cross join lateral (
       select coalesce(sum(r.amount), 0) as amount, count(*) as count
       from bonus_reservation r
       where r.budget_id = b.budget_id and r.holder = $3 and r.state <> 'released'
         and (b.window_days is null or r.at > $4::timestamptz - b.window_days * interval '24 hours')
     ) w order by b.place`,
    [
      budgets.map(({ budget_id }) => budget_id),
      budgets.map(({ window_days }) => window_days),
      player_id,
      timestamptzText(at),
    ],
  );
  return budgets.map((budget, place) => ({ ...budget, ...(uses[place] as Use) }));
}

/**
 * Maximum number of holders whose use one page reads. For a limit with a window, the reservations of each candidate must be
 * summed. With a million uses, and both cores of a machine busy with other work, a page of 50,000 holders took up to 390 ms.
 */
const scannedPerPage = { total: 25_000, window: 10_000 };

export interface NearPlayer extends Use {
  player_id: number;
  user_id: string;
}

/**
 * The players who have used `alarm_percent` of their limit or more, in the order of `player_id`, from the first one after `after`.
 *
 * It reads a bounded number of uses by primary key, so a page is fast with a million players, and reservations need not maintain another
 * index. A page may therefore have fewer players than `limit`, or none, although there are more. The total use is never below the use in a
 * window, so a window is summed only for players whose total is high enough.
 *
 * @returns `next`: the place from which the next page continues. Null on the last page
 */
export async function playersNearLimit(
  db: Pool | ClientBase,
  budget: Pick<Budget, 'budget_id' | 'window_days' | 'limit_amount' | 'limit_count' | 'alarm_percent'>,
  { after, limit, at }: { after: number; limit: number; at: Micros },
): Promise<{ players: NearPlayer[]; next: number | null }> {
  const { budget_id, window_days, limit_amount, limit_count, alarm_percent } = budget;
  const scanned = window_days === null ? scannedPerPage.total : scannedPerPage.window;
  const { rows } = await db.query<Use & { holder: number; last: number; scanned: number }>(
    `with scanned as materialized (
       select holder, reserved_amount + spent_amount as amount, reserved_count + spent_count as count
       from bonus_budget_use where budget_id = $1 and holder > $2 order by holder limit $3
     ), bounds as (
       select $4::numeric * $6::int / 100 as amount, $5::numeric * $6::int / 100 as count
     ), near as (
       select s.holder, w.amount, w.count
       from scanned s cross join bounds b cross join lateral (
         select s.amount, s.count::bigint where $7::int is null
         union all
         select coalesce(sum(r.amount), 0), count(*) from bonus_reservation r
         where $7::int is not null and r.budget_id = $1 and r.holder = s.holder and r.state <> 'released'
           and r.at > $8::timestamptz - $7::int * interval '24 hours'
         having $7::int is not null
       ) w
       where (s.amount >= b.amount or s.count >= b.count) and (w.amount >= b.amount or w.count >= b.count)
       order by s.holder limit $9
     )
     select e.last, e.scanned, n.holder, n.amount, n.count
     from (select coalesce(max(holder), 0) as last, count(*) as scanned from scanned) e
     left join near n on true order by n.holder`,
    [budget_id, after, scanned, limit_amount, limit_count, alarm_percent, window_days, timestamptzText(at), limit + 1],
  );
  const found = rows.filter(({ holder }) => holder !== null);
  const near = found.slice(0, limit);
  const { rows: named } = await db.query<{ player_id: number; user_id: string }>(
    'select player_id, user_id from player where player_id = any($1::bigint[])',
    [near.map(({ holder }) => holder)],
  );
  const names = new Map(named.map(({ player_id, user_id }) => [player_id, user_id]));
  // The use of an erased player stays, because the money was given.
  const players = near.flatMap(({ holder, amount, count }) => {
    const user_id = names.get(holder);
    return user_id === undefined ? [] : [{ player_id: holder, user_id, amount, count }];
  });
  const isScanFull = rows[0]?.scanned === scanned;
  const next = found.length > limit ? near.at(-1)?.holder : isScanFull ? rows[0]?.last : undefined;
  return { players, next: next ?? null };
}
