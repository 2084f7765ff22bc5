import type { Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../../database/index.ts';

/**
 * A queue whose rows wait for minutes or hours until a time of the database's clock. Fixed appointments, such as the end of an
 * offer, do not belong here.
 */
export interface DueTimes {
  table: string;
  column: string;
  /** Which of its rows wait; constant SQL. */
  where?: string;
}

/** Makes those rows due now whose time is further ahead than any wait or claim can be. @returns the number of rows */
export async function bringBackDue(pool: Pool, dueTimes: readonly DueTimes[], furthestMs: number): Promise<number> {
  const values = [furthestMs, timestamptzText(await databaseTime(pool))];
  return each(pool, dueTimes, (column) => `${column} = $2::timestamptz`, "$1 * interval '1 millisecond'", values);
}

/** Moves everything that waits, and every claim, to an earlier time. @returns the number of rows */
export function moveDue(pool: Pool, dueTimes: readonly DueTimes[], earlierByMs: number): Promise<number> {
  const earlier = (column: string) => `${column} = ${column} - $1 * interval '1 millisecond'`;
  return each(pool, dueTimes, earlier, "least($1, 0) * interval '1 millisecond'", [earlierByMs]);
}

async function each(
  pool: Pool,
  dueTimes: readonly DueTimes[],
  set: (column: string) => string,
  ahead: string,
  values: readonly unknown[],
): Promise<number> {
  let moved = 0;
  for (const { table, column, where = 'true' } of dueTimes) {
    const { rowCount } = await pool.query(
      `update ${table} set ${set(column)} where ${column} > now() + ${ahead} and ${where}`,
      [...values],
    );
    moved += rowCount ?? 0;
  }
  return moved;
}
