import type { Pool } from 'pg';
import { inventory } from './inventory/index.ts';

/** Everybody who uses the table queues behind the change of an empty one: it gives up before anybody notices. */
const lockMs = 500;

/**
 * Takes dead rows out of the tables that an erasure may have changed, and the samples of their values out of the planner's statistics,
 * where an e-mail may stand among the most common ones.
 *
 * Pages that nothing changed since the last vacuum are skipped, so this costs what was changed, and one read of each table's indexes at
 * most. What the server keeps elsewhere it does not reach: WAL, backups, dumps (docs/guides/privacy.md).
 */
export async function vacuum(pool: Pool): Promise<void> {
  for (const { table, fate } of inventory) {
    if (fate.fate !== 'kept') await vacuumTable(pool, table);
  }
  await vacuumTable(pool, 'public.erasure');
  await pool.query('vacuum pg_catalog.pg_statistic');
}

export async function vacuumTable(pool: Pool, table: string): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!rows[0]?.there) return;
  await pool.query(`vacuum (analyze) ${table}`);
  await forgetSamples(pool, table);
}

/**
 * ANALYZE leaves the samples of a table as they are when it finds no row. Giving a column the type that it has drops them: nothing is
 * rewritten. (PostgreSQL 18 has a function for this, 15 to 17 have none.)
 */
async function forgetSamples(pool: Pool, table: string): Promise<void> {
  const { rows: found } = await pool.query(`select from ${table} limit 1`);
  if (found.length > 0) return;
  const { rows: columns } = await pool.query<{ change: string }>(
    `select format('alter column %I type %s', a.attname, format_type(a.atttypid, a.atttypmod)) as change
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname
     where a.attrelid = $1::regclass and format_type(a.atttypid, null) in ('text', 'text[]', 'bytea', 'json', 'jsonb', 'numeric')`,
    [table],
  );
  if (columns.length === 0) return;
  const changes = columns.map(({ change }) => change).join(', ');
  await pool.query(`begin; set local lock_timeout = ${lockMs}; alter table ${table} ${changes}; commit`);
}
