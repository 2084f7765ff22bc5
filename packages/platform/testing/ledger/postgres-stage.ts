import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { afterAll, expect } from 'vitest';
import { connectionConfig, EmbeddedPostgres, migrate, openPool } from '../../src/database/index.ts';
import { PostgresLedger } from '../../src/ledger/postgres.ts';
import { setupDatabase } from '../database.ts';
import { testLog } from '../log.ts';
import { start } from './entries.ts';
import type { LedgerStage } from './stage.ts';

export interface PostgresStage extends LedgerStage {
  ledger: PostgresLedger;
  /** The same ledger with another clock. */
  ledgerAt(now: () => number): PostgresLedger;
  pool: Pool;
  url: string;
}

/**
 * Call it at the top of a test file. It uses one database, and one server for tests to kill, which is started when first
 * requested.
 */
export async function setupLedgers() {
  const shared = await setupDatabase();
  let own: Promise<OwnServer> | undefined;
  afterAll(async () => (await own)?.stop());
  const make = async ({ ownServer } = { ownServer: false }): Promise<PostgresStage> => {
    if (!ownServer) return stageOn(shared, () => Promise.reject(new Error('the server is not ours to kill')));
    own ??= startOwnServer();
    const server = await own;
    return stageOn(server, server.crash);
  };
  return { ...shared, make };
}

async function stageOn({ pool, url }: { pool: Pool; url: string }, crash: () => Promise<void>): Promise<PostgresStage> {
  await empty(pool);
  const clock = { now: start };
  const readers: LedgerStage['readers'] = new Map();
  const connection = connectionConfig(url, { name: 'test' });
  const ledgerAt = (now: () => number) =>
    new PostgresLedger({
      pool,
      connection,
      process: 'test',
      now,
      log: testLog,
      readers: async () => readers,
      ready: async () => {},
    });
  return { ledger: ledgerAt(() => clock.now), ledgerAt, clock, readers, crash, pool, url };
}

async function empty(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger_block'::regclass`,
  );
  for (const { name } of rows) await pool.query(`drop table ${name}`);
  await pool.query(
    'truncate ledger_writer, ledger_damage, ledger_slice, ledger_slice_writer, ledger_pack, ledger_set_aside, pending_protection',
  );
}

interface OwnServer {
  pool: Pool;
  url: string;
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The folder is named as in global-setup.ts, so that the next run deletes what a killed one left. */
async function startOwnServer(): Promise<OwnServer> {
  const folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  // Durable, like an installation's server.
  const server = new EmbeddedPostgres({ folder, log: testLog });
  await server.start();
  await migrate(server.url);
  const pool = openPool(server.url, { name: 'test', max: 10 });
  return {
    pool,
    url: server.url,
    async crash() {
      const { pid } = server;
      if (pid === undefined) throw new Error('the server does not run');
      await killAtOnce(pid);
      await expect.poll(() => server.pid !== pid && answers(pool), { timeout: 60_000 }).toBe(true);
    },
    async stop() {
      await pool.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Kills all processes of the server: one that outlives the others could finish its statement, or write pending data to the log.
 */
async function killAtOnce(postmaster: number): Promise<void> {
  process.kill(postmaster, 'SIGSTOP');
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const processes = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const children = processes.flatMap(([pid = 0, parent]) => (parent === postmaster ? [pid] : []));
  for (const pid of [...children, postmaster]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process has ended by itself in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function answers(pool: Pool): Promise<boolean> {
  return pool.query('select').then(
    () => true,
    () => false,
  );
}
