import type { Pool } from 'pg';

/** A queue whose rows wait until a time of the database's clock, for minutes or hours: never an appointment, such as the end of an offer. */
export interface DueTimes {
  table: string;
  column: string;
  /** Which of its rows wait; constant SQL. */
  where?: string;
}

/** Makes due what lies further ahead than any wait or claim can. @returns how many rows that were. */
export function bringBackDue(pool: Pool, dueTimes: readonly DueTimes[], furthestMs: number): Promise<number> {
  return each(pool, dueTimes, (column) => `${column} = now()`, "$1 * interval '1 millisecond'", furthestMs);
}

/** Moves everything that waits, and every claim, to an earlier time. @returns how many rows that were. */
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
