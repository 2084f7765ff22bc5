import type { Pool } from 'pg';
import { inventory } from './inventory/index.ts';

/**
 * Takes dead rows out of the tables that an erasure has changed, and the samples of their values out of the planner's statistics, in
 * which an e-mail may stand among the most common or the bounds.
 *
 * Pages that nothing changed since the last vacuum are skipped, so this costs what was changed, and one read of each table's indexes at
 * most. What the server keeps elsewhere it does not reach: WAL, replicas' backups, dumps (docs/guides/privacy.md).
 */
export async function vacuum(pool: Pool): Promise<void> {
  for (const { table, fate } of inventory) {
    if (fate.fate === 'kept') continue;
    const { rows } = await pool.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
    if (rows[0]?.there) await pool.query(`vacuum (analyze) ${table}`);
  }
  await pool.query('vacuum (analyze) public.erasure');
  await pool.query('vacuum pg_catalog.pg_statistic');
}
