import type { Micros, ReconciliationField } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import { timestamptzText } from '../../../database/index.ts';
import { dueAfterFailure, type NightlyPlan, nextRunAfter, shareOf } from './plan.ts';

/** When each field of each brand is due. */

export interface ScheduleRow {
  brand_id: number;
  field: ReconciliationField;
  due_at: Micros;
  plan: string;
  failures: number;
}

export function planOf(brand: Brand): NightlyPlan {
  const { reconciliation, time_zone } = brand.settings;
  return { time_zone, from_hour: reconciliation.from_hour, until_hour: reconciliation.until_hour };
}

/** The plan as stored with a due time. A different text means that the due time was computed from other settings. */
export function planText({ time_zone, from_hour, until_hour }: NightlyPlan): string {
  return `${time_zone} ${from_hour}-${until_hour}`;
}

export function nextNight(brand: Brand, field: string, now: Micros): Micros {
  return nextRunAfter(now, planOf(brand), shareOf(brand.code, field));
}

export async function readSchedule(pool: Pool): Promise<ScheduleRow[]> {
  const { rows } = await pool.query<ScheduleRow>(
    'select brand_id, field, due_at, plan, failures from reconciliation_schedule',
  );
  return rows;
}

export async function saveDue(
  db: Pool | ClientBase,
  row: Pick<ScheduleRow, 'brand_id' | 'field' | 'due_at' | 'plan'>,
): Promise<void> {
  await db.query(
    `insert into reconciliation_schedule (brand_id, field, due_at, plan) values ($1, $2, $3, $4)
     on conflict (brand_id, field) do update set due_at = excluded.due_at, plan = excluded.plan`,
    [row.brand_id, row.field, timestamptzText(row.due_at), row.plan],
  );
}

/** Moves a due row to its next time. If two workers find it due, the second gets false. */
export async function takeDue(
  tx: ClientBase,
  { brand_id, field, due_at }: Pick<ScheduleRow, 'brand_id' | 'field' | 'due_at'>,
  next: Micros,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update reconciliation_schedule set due_at = $4 where brand_id = $1 and field = $2 and due_at = $3',
    [brand_id, field, timestamptzText(due_at), timestamptzText(next)],
  );
  return rowCount === 1;
}

export async function dropSchedule(pool: Pool, brandId: number, field: string): Promise<void> {
  await pool.query('delete from reconciliation_schedule where brand_id = $1 and field = $2', [brandId, field]);
}

/** Stores that a run of the field has ended, or has its list. A failed run is repeated in the same night (plan.ts). */
export async function noteOutcome(
  tx: ClientBase,
  of: { brand: Brand; field: ReconciliationField; failed: boolean },
  now: Micros,
): Promise<void> {
  const key = [of.brand.brand_id, of.field];
  if (!of.failed) {
    await tx.query('update reconciliation_schedule set failures = 0 where brand_id = $1 and field = $2', key);
    return;
  }
  const { rows } = await tx.query<{ failures: number }>(
    `update reconciliation_schedule set failures = failures + 1 where brand_id = $1 and field = $2 returning failures`,
    key,
  );
  const [row] = rows;
  if (row === undefined) return;
  const due = dueAfterFailure(now, row.failures, nextNight(of.brand, of.field, now));
  await tx.query('update reconciliation_schedule set due_at = $3 where brand_id = $1 and field = $2', [
    ...key,
    timestamptzText(due),
  ]);
}
