import type { ClientBase, Pool } from 'pg';

/** Whether the platform may store acknowledged events in this database. */
export interface DatabaseVerdict {
  /** Reasons not to start. */
  refusals: string[];
  /** Problems that are shown to people, but do not prevent the start. */
  warnings: string[];
}

export interface DatabaseFacts {
  server_version_num: number;
  server_encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  recovery: Recovery;
  /** How far the server has replayed its write-ahead log; null if it never was in recovery. */
  replayed: string | null;
}

/**
 * A server in recovery answers queries, but stores nothing.
 *
 *   none        it is a primary
 *   standby     it receives the log of a primary, and stays like this until a person promotes it
 *   paused      it waits for a person, for example at the end of a restore with recovery_target_action = pause
 *   replaying   it replays files of the log, for example during a restore. This ends without help
 */
export type Recovery = 'none' | 'standby' | 'paused' | 'replaying';

const oldestVersion = 15;
const newestVersion = 18;

export async function readDatabaseFacts(db: Pool | ClientBase): Promise<DatabaseFacts> {
  const { rows } = await db.query<DatabaseFacts>(
    `select current_setting('server_version_num')::int as server_version_num,
            current_setting('server_encoding') as server_encoding,
            current_setting('fsync') as fsync,
            current_setting('full_page_writes') as full_page_writes,
            current_setting('synchronous_commit') as synchronous_commit,
            case when not pg_is_in_recovery() then 'none'
                 when exists (select from pg_stat_wal_receiver) then 'standby'
                 when pg_is_wal_replay_paused() then 'paused'
                 else 'replaying' end as recovery,
            pg_last_wal_replay_lsn()::text as replayed`,
  );
  const facts = rows[0];
  if (facts === undefined) throw new Error('the database did not return its settings');
  return facts;
}

const recoveryRefusals: Record<Exclude<Recovery, 'none'>, string> = {
  standby: 'the server is a read-only standby: use the address of the primary',
  paused:
    'the server is in recovery, and its recovery is paused: to end it, run `select pg_wal_replay_resume()` there; if the server is a standby, use the address of the primary',
  replaying:
    'the server is in recovery and has stopped making progress: if it is being restored, check its log and restore_command; if it is a standby, use the address of the primary',
};

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
  if (facts.recovery !== 'none') refusals.push(recoveryRefusals[facts.recovery]);
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
