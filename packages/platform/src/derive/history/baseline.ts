import type { ClientBase, Pool } from 'pg';
import { transaction } from '../../database/index.ts';
import { derivedTables, rollupTables } from '../families/index.ts';

/*
 * The baseline is a second set of the derived tables, in the schema `baseline`. It holds the state that exactly the events of all dropped
 * ledger days produce. State is a function of the set of events. So applying the events of the kept ledger to the baseline gives the state
 * of all events, which is what a rebuild does. The same code fills the baseline and the live tables, so families need no extra code.
 *
 * The baseline is a second copy of all rows that are kept permanently, except those that come from days still in the ledger.
 */

/** Every table that applying events may write to. */
export const stateTables: readonly string[] = [...derivedTables.map(({ name }) => name), ...rollupTables];

export class BaselineMismatch extends Error {
  override name = 'BaselineMismatch';
  constructor(tables: readonly string[]) {
    super(
      `the columns of ${tables.map((name) => `baseline.${name}`).join(', ')} are not those of live: a migration that changes a ` +
        'table of live must make the same change with `alter table if exists baseline.<name>`',
    );
  }
}

const createLock = 0x62_61_73;

/**
 * Creates missing tables of the baseline with the structure of the live ones.
 *
 * @throws {BaselineMismatch}
 */
export async function ensureBaseline(pool: Pool): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [createLock]);
    for (const name of stateTables) {
      const { rows } = await tx.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
        `baseline.${name}`,
      ]);
      if (!rows[0]?.there) await tx.query(`create table baseline.${name} (like live.${name} including all)`);
    }
    const different = await differentTables(tx);
    if (different.length > 0) throw new BaselineMismatch(different);
  });
}

/** Tables whose columns differ in name, type, order or nullability. */
async function differentTables(db: ClientBase): Promise<string[]> {
  const columns = (schema: string) => `
    select c.relname as name, array_agg(row (a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull)::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'r' and c.relname = any ($1::text[]) group by c.relname`;
  const { rows } = await db.query<{ name: string }>(
    `select name from (${columns('live')}) l full join (${columns('baseline')}) b using (name)
     where l.columns is distinct from b.columns order by name`,
    [stateTables],
  );
  return rows.map((row) => row.name);
}

/** False before the first day is sealed: until then the ledger contains every event. */
export async function hasBaseline(db: Pool | ClientBase): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>(`select to_regclass($1) is not null as there`, [
    `baseline.${stateTables[0]}`,
  ]);
  return rows[0]?.there ?? false;
}
