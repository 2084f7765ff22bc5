import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { migrationsFolder } from '../../database/index.ts';

/** The migration that created the schema. Installations may have sealed days since then. */
const firstWithBaseline = '0003-derive.sql';

test('a migration that changes a table of live also changes that table in the baseline', async () => {
  const later = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql') && name > firstWithBaseline);
  const forgotten: string[] = [];
  for (const name of later) {
    const sql = await readFile(`${migrationsFolder}/${name}`, 'utf8');
    const changed = (schema: string) =>
      [...sql.matchAll(new RegExp(`alter table (?:if exists )?${schema}\\.(\\w+)`, 'g'))].map((match) => match[1]);
    const followed = new Set(changed('baseline'));
    forgotten.push(
      ...changed('live')
        .filter((table) => !followed.has(table))
        .map((table) => `${name}: ${table}`),
    );
  }
  expect(forgotten).toEqual([]);
});
