import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { formerForms } from './former-forms.ts';
import { MigrationFailed, migrate, migrationsFolder, SchemaTooOld } from './index.ts';
import { planMigrations } from './migrate.ts';

const { pool, url } = await setupDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'croupier-migrations-'));
afterAll(() => rm(folder, { recursive: true }));

const write = (name: string, sql: string) => writeFile(path.join(folder, name), sql);
const columns = async () => {
  const { rows } = await pool.query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_name = 'fruit' order by ordinal_position",
  );
  return rows.map((row) => row.name);
};

beforeEach(async () => {
  await pool.query('drop table if exists fruit; truncate schema_migration');
  for (const name of await readdir(folder)) await rm(path.join(folder, name));
  await write('0001-fruit.sql', 'create table fruit (apple int)');
});

describe('migrations', () => {
  test('a second start applies nothing', async () => {
    expect(await migrate(url, folder)).toEqual({ applied: ['0001-fruit.sql'], unknown: [] });
    expect(await migrate(url, folder)).toEqual({ applied: [], unknown: [] });
  });

  test('many concurrent starts apply each file once', async () => {
    await write('0002-pear.sql', 'alter table fruit add pear int');
    const all = await Promise.all(Array.from({ length: 6 }, () => migrate(url, folder)));
    expect(all.flatMap((one) => one.applied).sort()).toEqual(['0001-fruit.sql', '0002-pear.sql']);
    expect(await columns()).toEqual(['apple', 'pear']);
  });

  test('a file that fails leaves no changes, and earlier files stay applied', async () => {
    await write('0002-pear.sql', 'alter table fruit add pear int; select 1 / 0');
    const error = await migrate(url, folder).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(MigrationFailed);
    expect((error as Error).message).toBe('migration 0002-pear.sql failed: division by zero');
    expect(await columns()).toEqual(['apple']);
    await write('0002-pear.sql', 'alter table fruit add pear int');
    expect(await migrate(url, folder)).toEqual({ applied: ['0002-pear.sql'], unknown: [] });
  });

  test('a file that was changed after it was applied makes the start fail', async () => {
    await migrate(url, folder);
    await write('0001-fruit.sql', 'create table fruit (banana int)');
    await expect(migrate(url, folder)).rejects.toThrow(SchemaTooOld);
  });

  test('a comment may be changed after its file was applied', async () => {
    await migrate(url, folder);
    await write('0001-fruit.sql', '-- Fruit of all kinds.\n\ncreate table fruit (apple int)\n');
    expect(await migrate(url, folder)).toEqual({ applied: [], unknown: [] });
  });

  test('a database whose recorded checksum still includes comments is accepted, if the statements are the same', () => {
    for (const { name, file, statements } of formerForms) {
      const applied = [{ name, sha256: file }];
      expect(planMigrations([{ name, sql: '', sha256: statements }], applied).pending).toEqual([]);
      expect(() => planMigrations([{ name, sql: '', sha256: 'of other statements' }], applied)).toThrow(SchemaTooOld);
    }
  });

  test('a database set up with the many files of an earlier version is refused with an explanation, and not changed', async () => {
    await write('0007-seeds.sql', 'alter table fruit add seeds int');
    await migrate(url, folder);
    await rm(path.join(folder, '0007-seeds.sql'));
    await write('0001-fruit.sql', 'create table fruit (apple int, seeds int)');
    await write('0002-pear.sql', 'alter table fruit add pear int');
    const error = await migrate(url, folder).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(SchemaTooOld);
    expect((error as Error).message).toMatch(
      /^This database was created by an earlier version .* Start with an empty database: .*$/,
    );
    expect(await columns()).toEqual(['apple', 'seeds']);
  });

  test('a database that a newer version migrated is reported, not refused', async () => {
    await write('0002-pear.sql', 'alter table fruit add pear int');
    await migrate(url, folder);
    await rm(path.join(folder, '0002-pear.sql'));
    expect(await migrate(url, folder)).toEqual({ applied: [], unknown: ['0002-pear.sql'] });
  });

  test('the files of a release have unique numbers', async () => {
    const names = (await readdir(migrationsFolder)).sort();
    expect(names.every((name) => /^\d{4}-[a-z-]+\.sql$/.test(name))).toBe(true);
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
  });
});
