import type { Pool } from 'pg';
import { transaction } from './pool.ts';

/** Everybody who uses the table queues behind the change of an empty one: it gives up before anybody notices. */
const lockMs = 500;

/**
 * Takes dead rows out of tables, and the samples of their values out of the planner's statistics, where an e-mail may stand among the most
 * common ones. Pages that nothing changed since the last vacuum are skipped, so this costs what was changed, and one read of each table's
 * indexes at most.
 *
 * @param tables with their schemas; one that is not there is left out
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
 * ANALYZE leaves the samples of a table as they are when it finds no row. Giving a column the type that it has drops them: nothing is
 * rewritten. (PostgreSQL 18 has a function for this, 15 to 17 have none.)
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
