import { execFile } from 'node:child_process';
import { appendFile, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testLog } from '../../testing/log.ts';
import { EmbeddedPostgres, openPool } from '../database/index.ts';
import { createLog } from '../log.ts';
import { prepareDatabase } from './prepare-database.ts';

/*
 * Starts with servers that are in recovery: a restore, a restore that stopped, and a standby. Each test starts a copy of one
 * stopped cluster, whose recovery begins at that cluster's end.
 */
let folder: string;
let primary: EmbeddedPostgres;
let server: EmbeddedPostgres;

const serverIn = (name: string) =>
  new EmbeddedPostgres({ folder: path.join(folder, name), log: testLog, durable: false });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  primary = serverIn('primary');
  await primary.start();
  await primary.stop();
});

afterEach(() => server.stop());

afterAll(async () => {
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a copy of the primary that recovers with these settings. The file `signal` starts the recovery. */
async function startRecovering(name: string, signal: string, settings: Record<string, string>): Promise<void> {
  const to = path.join(folder, name);
  // Keeps the owner of the files: if root runs this test, the server runs as another user.
  await promisify(execFile)('cp', ['-a', path.join(folder, 'primary'), to]);
  const cluster = path.join(to, 'cluster');
  const lines = Object.entries(settings).map(([setting, value]) => `${setting} = '${value}'\n`);
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), lines.join(''));
  await copyFile(path.join(cluster, 'PG_VERSION'), path.join(cluster, signal));
  server = serverIn(name);
  await server.start();
}

async function query(sql: string): Promise<unknown[]> {
  const pool = openPool(server.url, { name: 'test', max: 1 });
  return pool
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => pool.end());
}

const recovering = () => query('select pg_is_in_recovery() as recovering');

/**
 * An archive without files. PostgreSQL asks it twice for the next timeline, before the recovery and at its end: the second answer
 * waits for the file `go`.
 */
const restore_command = 'test ! -e asked-%f || while test ! -e go; do sleep 0.05; done; touch asked-%f; exit 1';

/** Begins a start. Its messages are collected as they come. */
function prepare(stalledRestoreMs?: number): { prepared: Promise<void>; messages: string[] } {
  const messages: string[] = [];
  const to = { write: (line: string) => void messages.push(JSON.parse(line).msg) };
  const log = createLog({ level: 'warn', role: 'test', to });
  const options = {
    brands: [],
    secret: 'the secret of this test',
    previousSecrets: [],
    log,
    ...(stalledRestoreMs !== undefined && { stalledRestoreMs }),
  };
  return { prepared: prepareDatabase(server.url, options), messages };
}

describe('a start with a server in recovery', () => {
  test('waits until a restore has ended, and then migrates', async () => {
    await startRecovering('restored', 'recovery.signal', { restore_command });
    expect(await recovering()).toEqual([{ recovering: true }]);
    const { prepared, messages } = prepare();
    await expect.poll(() => messages).toContainEqual(expect.stringContaining('the database is in recovery'));
    await writeFile(path.join(folder, 'restored', 'cluster', 'go'), '');
    await prepared;
    expect(await recovering()).toEqual([{ recovering: false }]);
  });

  test('refuses a restore that makes no progress', async () => {
    await startRecovering('stalled', 'recovery.signal', { restore_command });
    await expect(prepare(1).prepared).rejects.toThrow(
      'stopped making progress: if it is being restored, check its log',
    );
  });

  test('refuses a restore that is paused, and says how to end it', async () => {
    await startRecovering('paused', 'recovery.signal', { restore_command });
    await query('select pg_wal_replay_pause()');
    await expect(prepare().prepared).rejects.toThrow('run `select pg_wal_replay_resume()`');
  });

  test('refuses a standby immediately', async () => {
    await primary.start();
    await startRecovering('standby', 'standby.signal', { primary_conninfo: primary.url });
    await expect(prepare().prepared).rejects.toThrow('read-only standby: use the address of the primary');
  });
});
