import type { Pool } from 'pg';

/** Rows deleted in one statement: far below its time limit, and no lock lasts long. */
export const rowsPerDelete = 10_000;

/**
 * Repeats a delete until nothing is left. Each portion is committed by itself: whoever calls must be able to call again.
 *
 * @param statement deletes rows of `$1`, at most `$2`
 * @returns how many rows went
 */
export async function deleteInPortions(db: Pool, statement: string, of: string): Promise<number> {
  for (let all = 0; ; ) {
    const { rowCount } = await db.query(statement, [of, rowsPerDelete]);
    all += rowCount ?? 0;
    if ((rowCount ?? 0) < rowsPerDelete) return all;
  }
}
