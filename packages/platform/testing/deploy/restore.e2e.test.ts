import { execFile } from 'node:child_process';
import { appendFile, chown, copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EmbeddedPostgres, findRunningPostgres, openPool } from '../../src/database/index.ts';
import { checkout, type Installation, startInstallation } from '../installation.ts';
import { testLog } from '../log.ts';
import { countDeposits, deposit } from './deposits.ts';

/*
 * Point-in-time restore as docs/guides/deploy.md describes it, with a complete installation: archive the write-ahead log, take
 * a base backup under traffic, kill everything, restore, continue. The embedded server has no pg_basebackup, so the test does
 * what that program does: pg_backup_start, copy the folder, pg_backup_stop.
 */
const run = promisify(execFile);
let folder: string;
let dataDir: string;
let archive: string;
let base: string;
let installation: Installation | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  [dataDir, archive, base] = ['data', 'wal', 'base'].map((name) => path.join(folder, name)) as [string, string, string];
});

afterEach(async () => {
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

const cluster = () => path.join(dataDir, 'postgres', 'cluster');

async function start(): Promise<Installation> {
  installation = await startInstallation({ dataDir });
  return installation;
}

/** Connects to the embedded server as a user who may administer it. */
async function withDatabase<T>(work: (pool: Pool) => Promise<T>, url?: string): Promise<T> {
  const pool = openPool(url ?? (await findRunningPostgres(path.join(dataDir, 'postgres'))) ?? '', {
    name: 'test',
    max: 1,
  });
  return work(pool).finally(() => pool.end());
}

const counts = () => withDatabase(countDeposits);

/** Creates the server and turns its archive on, which takes effect at its next start. */
async function archiveLog(): Promise<void> {
  const postgres = new EmbeddedPostgres({ folder: path.join(dataDir, 'postgres'), log: testLog });
  await postgres.start();
  const { uid, gid } = await stat(cluster());
  await mkdir(archive);
  // The server may run as another user, who must be able to enter the folder above and write to the archive.
  await run('chmod', ['755', folder]);
  await chown(archive, uid, gid);
  const script = path.join(folder, 'archive-wal.sh');
  await copyFile(path.join(checkout, 'deploy/postgresql/archive-wal.sh'), script);
  await withDatabase(async (pool) => {
    await pool.query('alter system set archive_mode = on');
    await pool.query(`alter system set archive_command = 'sh ${script} %p ${archive}/%f'`);
  }, postgres.url);
  await postgres.stop();
}

/** Copies the folder of the running server, as pg_basebackup does. */
async function takeBaseBackup(): Promise<void> {
  await withDatabase(async (pool) => {
    await pool.query(`select pg_backup_start('restore test', true)`);
    const left = ['pg_wal', 'postmaster.pid', 'postmaster.opts'];
    const names = (await readdir(cluster())).filter((name) => !left.includes(name));
    await mkdir(base);
    // Files may disappear while they are copied; the log contains their changes. `cp` reports them and copies the rest.
    await run('cp', ['-a', ...names.map((name) => path.join(cluster(), name)), base]).catch(
      (error: { stderr: string }) => {
        if (!/^(cp: cannot stat .*: No such file or directory\n)+$/.test(error.stderr)) throw error;
      },
    );
    await mkdir(path.join(base, 'pg_wal'));
    const { rows } = await pool.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await writeFile(path.join(base, 'backup_label'), rows[0]?.labelfile ?? '');
  });
}

/** The steps of the guide, after which the next start recovers. */
async function restore(settings: Record<string, string> = {}): Promise<void> {
  const { uid, gid } = await stat(cluster());
  const before = path.join(await mkdtemp(path.join(folder, 'before-')), 'cluster');
  await rename(cluster(), before);
  await run('cp', ['-a', base, cluster()]);
  // The log files that the archive does not have yet.
  for (const name of await readdir(path.join(before, 'pg_wal'))) {
    if (/^0/.test(name)) await copyFile(path.join(before, 'pg_wal', name), path.join(cluster(), 'pg_wal', name));
  }
  const lines = { restore_command: `cp ${archive}/%f %p`, recovery_target_action: 'promote', ...settings };
  const text = Object.entries(lines).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(path.join(cluster(), 'postgresql.auto.conf'), text.join(''));
  await writeFile(path.join(cluster(), 'recovery.signal'), '');
  await run('chown', ['-R', `${uid}:${gid}`, cluster()]);
  await run('chmod', ['700', cluster()]);
}

const pollOptions = { timeout: 60_000 };

test('a restored installation has everything that was acknowledged before a crash, or what was there at an earlier moment', async () => {
  await archiveLog();
  const first = await start();
  await deposit(first, 0, 10);
  await Promise.all([takeBaseBackup(), deposit(first, 10, 30)]);
  await expect.poll(counts, pollOptions).toEqual({ stored: 30, applied: 30 });
  const moment = await withDatabase((pool) => pool.query<{ now: string }>('select clock_timestamp()::text as now'));
  await deposit(first, 30, 50);
  await first.killAll();

  await restore();
  const second = await start();
  await expect.poll(counts, pollOptions).toEqual({ stored: 50, applied: 50 });
  expect(second.key).toBe(first.key);
  await deposit(second, 50, 60);
  await expect.poll(counts, pollOptions).toEqual({ stored: 60, applied: 60 });
  await second.stop();

  await restore({ recovery_target_time: moment.rows[0]?.now ?? '' });
  const third = await start();
  await expect.poll(counts, pollOptions).toEqual({ stored: 30, applied: 30 });
  // The operator publishes everything again. Repeated events change nothing.
  await deposit(third, 0, 60);
  await expect.poll(async () => (await counts()).applied, pollOptions).toBe(60);
}, 240_000);
