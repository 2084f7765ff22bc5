/** Rows deleted in one statement: far below its time limit, and no lock lasts long. */
const rowsPerDelete = 10_000;

/** A pool: each statement is a transaction of its own. */
export interface Deleting {
  query(text: string, values: unknown[]): Promise<{ rowCount: number | null }>;
}

/**
 * Repeats a delete until nothing is left. Each portion is committed by itself: whoever calls must be able to call again.
 *
 * @param statement deletes rows of `$1`, at most `$2`
 * @returns how many rows went
 */
export async function deleteInPortions(db: Deleting, statement: string, of: string): Promise<number> {
  for (let all = 0; ; ) {
    const { rowCount } = await db.query(statement, [of, rowsPerDelete]);
    all += rowCount ?? 0;
    if ((rowCount ?? 0) < rowsPerDelete) return all;
  }
}
