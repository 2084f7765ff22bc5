import type { Pool } from 'pg';
import { transaction } from './pool.ts';

/** The change waits for its lock for at most this long, because all other users of the table queue behind it. */
const lockMs = 500;

/**
 * Removes dead rows from tables, and sampled values from the planner's statistics, because an e-mail may be among the
 * most common values. Pages that did not change since the last vacuum are skipped. So the cost is proportional to the
 * number of changes, plus at most one read of each table's indexes.
 *
 * @param tables with their schemas; missing tables are skipped
 */
export async function vacuumTables(pool: Pool, tables: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [tables],
  );
  if (rows.length > 0) await pool.query(`vacuum (analyze) ${rows.map(({ name }) => name).join(', ')}`);
  await forgetSamples(pool, tables);
}

/**
 * ANALYZE keeps the old samples of a table if it finds no row. Setting a column to the type that it already has drops
 * them without rewriting anything. (PostgreSQL 18 has a function for this, 15 to 17 have none.)
 */
async function forgetSamples(pool: Pool, tables: readonly string[]): Promise<void> {
  const { rows: sampled } = await pool.query<{ name: string; changes: string }>(
    `select name, string_agg(format('alter column %I type %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ') as changes
     from unnest($1::text[]) as name
     join pg_attribute a on a.attrelid = to_regclass(name)
     join pg_stats s on name = s.schemaname || '.' || s.tablename and s.attname = a.attname
     where format_type(a.atttypid, null) in ('text', 'text[]', 'bytea', 'json', 'jsonb', 'numeric')
     group by name`,
    [tables],
  );
  for (const { name, changes } of sampled) {
    const { rows: found } = await pool.query(`select from ${name} limit 1`);
    if (found.length > 0) continue;
    await transaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = ${lockMs}; alter table ${name} ${changes}`);
    });
  }
}
