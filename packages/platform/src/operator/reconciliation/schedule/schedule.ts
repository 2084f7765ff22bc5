import { type Micros, reconciliationFields } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import type { Clock } from '../../../clock.ts';
import { transaction } from '../../../database/index.ts';
import { requestRuns } from '../run/request-store.ts';
import {
  dropSchedule,
  nextNight,
  planOf,
  planText,
  readSchedule,
  type ScheduleRow,
  saveDue,
  takeDue,
} from './schedule-store.ts';

/*
 * Requests the runs that are due, and keeps the due times consistent with the settings and the clock. One transaction takes a
 * due row and requests its run, so each night has its run even after a crash. After a night without any worker the rows are
 * still due, and run at the next start.
 */
export async function askForDueRuns(
  pool: Pool,
  brands: Iterable<Brand>,
  clock: Clock,
): Promise<{ planned: number; asked: number }> {
  const rows = new Map((await readSchedule(pool)).map((row) => [`${row.brand_id} ${row.field}`, row]));
  const counts = { planned: 0, asked: 0 };
  for (const brand of brands) {
    for (const field of reconciliationFields) {
      const row = rows.get(`${brand.brand_id} ${field}`);
      if (!isScheduled(brand, field)) {
        if (row !== undefined) await dropSchedule(pool, brand.brand_id, field);
        continue;
      }
      const now = clock();
      const planned = {
        brand_id: brand.brand_id,
        field,
        due_at: nextNight(brand, field, now),
        plan: planText(planOf(brand)),
      };
      if (row === undefined || isOutdated(row, planned)) {
        await saveDue(pool, planned);
        counts.planned++;
      } else if (row.due_at <= now && (await ask(pool, row, planned.due_at, now))) counts.asked++;
    }
  }
  return counts;
}

function isScheduled({ operator, settings }: Brand, field: ScheduleRow['field']): boolean {
  return (
    operator !== null &&
    settings.reconciliation.schedule === 'nightly' &&
    settings.reconciliation.fields.includes(field)
  );
}

/** The due time was computed from other settings, or is later than the next night because the clock was set back. */
function isOutdated(row: ScheduleRow, planned: { due_at: Micros; plan: string }): boolean {
  return row.plan !== planned.plan || row.due_at > planned.due_at;
}

async function ask(pool: Pool, row: ScheduleRow, next: Micros, now: Micros): Promise<boolean> {
  return transaction(pool, async (tx) => {
    if (!(await takeDue(tx, row, next))) return false;
    await requestRuns(tx, { brand_id: row.brand_id, fields: [row.field], cause: 'schedule', now });
    return true;
  });
}
