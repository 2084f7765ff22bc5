/** Maximum number of rows deleted in one statement. So a statement ends long before its timeout, and no lock lasts long. */
const rowsPerDelete = 10_000;

/** Pass a pool, so that each statement is a separate transaction. */
export interface Deleting {
  query(text: string, values: unknown[]): Promise<{ rowCount: number | null }>;
}

/**
 * Repeats a delete until nothing is left. Each portion is committed separately, so the caller must be able to call it
 * again.
 *
 * @param statement deletes rows of `$1`, at most `$2`
 * @returns the number of deleted rows
 */
export async function deleteInPortions(db: Deleting, statement: string, of: string): Promise<number> {
  for (let all = 0; ; ) {
    const { rowCount } = await db.query(statement, [of, rowsPerDelete]);
    all += rowCount ?? 0;
    if ((rowCount ?? 0) < rowsPerDelete) return all;
  }
}
