import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { Client } from './client.ts';
import { formerForms } from './former-forms.ts';
import { connectionConfig } from './pool.ts';

/*
 * Migrates a database to the schema that this version of the code expects: plain SQL files, forward only, in the order
 * of their names, each in a transaction together with the row that records it. An advisory lock lets one process
 * migrate at a time. The others wait and then find nothing left to do.
 *
 * There are no down migrations: a mistake is corrected by a further file, and old data is restored from a backup.
 *
 * Until the first release the files themselves are edited, one per stage, and a database that was set up with an
 * earlier version of them is refused (docs/decisions/1201).
 */

/** Any constant works, but it must be the same in every version. */
const migrationLock = 0x63_72_6f_75;

export const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));

export interface Migrated {
  /** Files applied by this call, in order. */
  applied: string[];
  /** Files that were applied earlier and that this version lacks: the code is older than the database. */
  unknown: string[];
}

export interface MigrationFile {
  name: string;
  sql: string;
  /** The hash of the statements. Comments do not count, so that they can be corrected after the file was applied. */
  sha256: string;
}

/**
 * @throws {SchemaTooOld} if the database was set up with other versions of these files; then nothing was changed
 * @throws {MigrationFailed} with the name of the file; earlier files stay applied, the failed one leaves no changes
 */
export async function migrate(url: string, folder: string = migrationsFolder): Promise<Migrated> {
  const files = await readMigrations(folder);
  const client = new Client(connectionConfig(url, { name: 'migrate', statementTimeoutMs: 0 }));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migration (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now()
    )`);
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration');
    const { pending, unknown } = planMigrations(files, rows);
    for (const file of pending) await apply(client, file);
    return { applied: pending.map((file) => file.name), unknown };
  } finally {
    await client.end();
  }
}

/**
 * Returns what is left to apply. Pure. A file is also applied if its number is lower than those of applied files. This
 * happens when two branches are merged.
 */
export function planMigrations(
  files: readonly MigrationFile[],
  applied: readonly { name: string; sha256: string }[],
): { pending: MigrationFile[]; unknown: string[] } {
  const done = new Map(applied.map((row) => [row.name, row.sha256]));
  for (const file of files) {
    const sha256 = done.get(file.name);
    if (sha256 === undefined || sha256 === file.sha256) continue;
    const isFormer = formerForms.some((former) => former.file === sha256 && former.statements === file.sha256);
    if (!isFormer) throw new SchemaTooOld(file.name);
  }
  const known = new Set(files.map((file) => file.name));
  return {
    pending: files.filter((file) => !done.has(file.name)),
    unknown: [...done.keys()].filter((name) => !known.has(name)).sort(),
  };
}

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8');
      return { name, sql, sha256: createHash('sha256').update(statementsOf(sql)).digest('hex') };
    }),
  );
}

/** The text without the lines that are only a comment, and without blank lines. */
function statementsOf(sql: string): string {
  const lines = sql.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '' && !line.trimStart().startsWith('--')).join('\n');
}

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  try {
    await client.query('begin');
    await client.query(file.sql);
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [file.name, file.sha256]);
    await client.query('commit');
  } catch (cause) {
    throw new MigrationFailed(file.name, cause);
  }
}

/** The message says what the person who starts the platform has to do. */
export class SchemaTooOld extends Error {
  override name = 'SchemaTooOld';
  constructor(file: string) {
    super(
      `This database was created by an earlier version of Croupier (its ${file} is different). This version cannot ` +
        'convert it, because no version has been released yet. Start with an empty database: set DATABASE_URL to a new one or, without ' +
        'DATABASE_URL, stop Croupier and move the folder postgres out of DATA_DIR (default: ./data). Then publish the events again. ' +
        'The old database was not changed.',
    );
  }
}

export class MigrationFailed extends Error {
  override name = 'MigrationFailed';
  constructor(file: string, cause: unknown) {
    super(`migration ${file} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
