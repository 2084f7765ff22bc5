import type { ClientBase, Pool } from 'pg';
import { inventory } from './inventory/index.ts';
import { type Subject, subjectSql, subjectValues } from './subject.ts';

/** Erases the player from the tables of the inventory, in its order. Returns how many rows of each were deleted or emptied. */
export async function eraseTables(
  db: Pool | ClientBase,
  subject: Subject,
  which: (table: string) => boolean = () => true,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  // If the condition of a table reads another table, that other table comes later.
  const ordered = [...inventory].sort((a, b) => Number(a.fate.fate === 'rows') - Number(b.fate.fate === 'rows'));
  for (const { table, fate } of ordered) {
    if (!which(table) || (fate.fate !== 'rows' && fate.fate !== 'cells')) continue;
    const statement =
      fate.fate === 'rows'
        ? `delete from ${table} t using s where ${fate.where}`
        : `update ${table} t set ${fate.set} from s where ${fate.where}`;
    const { rowCount } = await db.query(`${subjectSql} ${statement}`, subjectValues(subject));
    if (rowCount !== null && rowCount > 0) counts[table] = rowCount;
  }
  return counts;
}

/** Removes the player from the lists of running reconciliations, because the operator may still name the player in them. */
export async function eraseStages(pool: Pool, userId: string): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'reconciliation_stage' and c.relkind = 'r' and c.relname ~ '^run_[0-9]+$'`,
  );
  let gone = 0;
  for (const { name } of rows) {
    const { rowCount } = await pool
      .query(`delete from ${name} where user_id = $1`, [userId])
      // The run just ended, and dropped the table.
      .catch((error: { code?: string }) => {
        if (error.code === '42P01') return { rowCount: 0 };
        throw error;
      });
    gone += rowCount ?? 0;
  }
  return gone;
}
