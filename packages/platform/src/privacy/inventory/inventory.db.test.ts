import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { inventory } from './index.ts';

const { pool } = await setupDatabase();

/** Tables by name, with their columns; partitions belong to their parent. */
async function catalog(): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(
    `select t.table_schema || '.' || t.table_name as name, array_agg(c.column_name::text) as columns
     from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
     join pg_class p on p.oid = format('%I.%I', t.table_schema, t.table_name)::regclass and not p.relispartition
     where t.table_schema not in ('pg_catalog', 'information_schema') and t.table_type = 'BASE TABLE'
     group by 1 order by 1`,
  );
  return new Map(rows.map((row) => [row.name, row.columns]));
}

const entries = new Map(inventory.map((entry) => [entry.table, entry.fate]));

test('P14: every table is in the inventory; add a new one with what happens to it when a player is erased', async () => {
  expect([...(await catalog()).keys()].filter((name) => !entries.has(name))).toEqual([]);
  expect(entries.size).toBe(inventory.length);
});

test('P14: every column of a table whose rows stay is in the inventory, and no other column', async () => {
  const tables = await catalog();
  for (const [name, fate] of entries) {
    const columns = tables.get(name);
    // The baseline is created when the first day is sealed.
    if (columns === undefined) expect(name).toMatch(/^baseline\./);
    else if ('columns' in fate) expect([name, fate.columns.split(/\s+/).sort()]).toEqual([name, columns.sort()]);
  }
});

test('the conditions are valid SQL, and find no rows of a player who does not exist', async () => {
  const { subjectSql, subjectValues } = await import('../subject.ts');
  const values = subjectValues({ player_id: 1, brand_id: 1, user_id: 'u', player_hash: 2n ** 64n - 1n });
  for (const { table, fate, shows } of inventory) {
    for (const where of ['where' in fate ? fate.where : undefined, shows]) {
      if (typeof where !== 'string') continue;
      const { rows } = await pool.query(`${subjectSql} select 1 from ${table} t, s where ${where}`, values);
      expect([table, rows]).toEqual([table, []]);
    }
  }
});
