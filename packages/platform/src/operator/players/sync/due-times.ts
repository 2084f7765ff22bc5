import type { Pool } from 'pg';

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

/** Makes rows due that lie further ahead than any wait or claim can. @returns the number of rows */
export function bringBackDue(pool: Pool, dueTimes: readonly DueTimes[], furthestMs: number): Promise<number> {
  return each(pool, dueTimes, (column) => `${column} = now()`, "$1 * interval '1 millisecond'", furthestMs);
}

/** Moves everything that waits, and every claim, to an earlier time. @returns the number of rows */
export function moveDue(pool: Pool, dueTimes: readonly DueTimes[], earlierByMs: number): Promise<number> {
  const earlier = (column: string) => `${column} = ${column} - $1 * interval '1 millisecond'`;
  return each(pool, dueTimes, earlier, "least($1, 0) * interval '1 millisecond'", earlierByMs);
}

async function each(
  pool: Pool,
  dueTimes: readonly DueTimes[],
  set: (column: string) => string,
  ahead: string,
  ms: number,
): Promise<number> {
  let moved = 0;
  for (const { table, column, where = 'true' } of dueTimes) {
    const { rowCount } = await pool.query(
      `update ${table} set ${set(column)} where ${column} > now() + ${ahead} and ${where}`,
      [ms],
    );
    moved += rowCount ?? 0;
  }
  return moved;
}
