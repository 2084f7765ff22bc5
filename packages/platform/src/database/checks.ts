import type { ClientBase, Pool } from 'pg';

/** What must be known about the database before an acknowledged event can be stored in it. */
export interface DatabaseVerdict {
  /** Reasons not to start. */
  refusals: string[];
  /** Shown to people; the start continues. */
  warnings: string[];
}

export interface DatabaseFacts {
  server_version_num: number;
  server_encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  in_recovery: boolean;
}

const oldestVersion = 15;
const newestVersion = 18;

export async function readDatabaseFacts(db: Pool | ClientBase): Promise<DatabaseFacts> {
  const { rows } = await db.query<DatabaseFacts>(
    `select current_setting('server_version_num')::int as server_version_num,
            current_setting('server_encoding') as server_encoding,
            current_setting('fsync') as fsync,
            current_setting('full_page_writes') as full_page_writes,
            current_setting('synchronous_commit') as synchronous_commit,
            pg_is_in_recovery() as in_recovery`,
  );
  const facts = rows[0];
  if (facts === undefined) throw new Error('the database did not return its settings');
  return facts;
}

/**
 * Pure: docs/reference/design.md 3. "200 means durable" (docs/reference/design.md 2.1) depends on the three settings
 * that only cause warnings.
 */
export function judgeDatabase(facts: DatabaseFacts): DatabaseVerdict {
  const refusals: string[] = [];
  const warnings: string[] = [];
  const major = Math.floor(facts.server_version_num / 10_000);
  if (major < oldestVersion) {
    refusals.push(`PostgreSQL ${major} is too old: ${oldestVersion} to ${newestVersion} are supported`);
  } else if (major > newestVersion) {
    warnings.push(
      `PostgreSQL ${major} is newer than this version was tested with (${oldestVersion} to ${newestVersion})`,
    );
  }
  if (facts.server_encoding !== 'UTF8') {
    refusals.push(
      `server_encoding is ${facts.server_encoding}: create the database with encoding UTF8, because names of players would be refused or changed`,
    );
  }
  if (facts.in_recovery) refusals.push('the server is a read-only standby: use the address of the primary');
  if (facts.fsync !== 'on')
    warnings.push('fsync is off: a crash of the machine can lose acknowledged events or the whole database');
  if (facts.full_page_writes !== 'on')
    warnings.push('full_page_writes is off: a crash of the machine can leave broken pages');
  if (facts.synchronous_commit === 'off') {
    warnings.push(
      'synchronous_commit is off: a crash of the server can lose events that were already answered with 200',
    );
  }
  return { refusals, warnings };
}
