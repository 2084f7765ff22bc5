import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testLog } from '../../../testing/log.ts';
import { findBinaries, openToOthers } from './binaries.ts';
import { EmbeddedPostgres } from './embedded.ts';
import { chooseOsUser } from './os-user.ts';
import { isPostmasterOf } from './postmaster.ts';

const script = fileURLToPath(new URL('../../../testing/own-postgres.ts', import.meta.url));

let folder: string;
let owners: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  owners = [];
});

afterEach(async () => {
  for (const owner of owners) await stop(owner);
  await rm(folder, { recursive: true, force: true });
});

interface Owner {
  process: ChildProcess;
  url: string;
  pid: number;
  error?: string;
}

/** Starts a process that owns a server in `folder`. */
async function own(options: { env?: Record<string, string> } = {}): Promise<Owner> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, NODE_COMPILE_CACHE, ...options.env },
  });
  owners.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { process: child, ...JSON.parse(line) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Kills (SIGKILL) the shell that would stop the server after its owner. Its command line ends with the server's pid.
 */
async function killWatchdog(serverPid: number): Promise<void> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith('/bin/sh') && command.endsWith(`\0${serverPid}\0`)) process.kill(Number(pid), 'SIGKILL');
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const isRunning = (pid: number) => isPostmasterOf(pid, path.join(folder, 'cluster'));

describe('the embedded server', () => {
  test('is the same database after a stop and a start, with UTF8 under any locale', async () => {
    const first = await own({ env: { LANG: 'C', LC_ALL: 'C' } });
    await query(first.url, "create table kept as select 'Żółć' as name");
    await stop(first.process);
    expect(first.process.exitCode).toBe(0);
    expect(await isRunning(first.pid)).toBe(false);

    const second = await own({ env: { LANG: 'de_DE.ISO-8859-1', PGDATA: '/nowhere', PGPORT: '1' } });
    expect(await query(second.url, 'select lower(name) as name from kept')).toEqual([{ name: 'żółć' }]);
    expect(await query(second.url, "select current_setting('server_encoding') as encoding")).toEqual([
      { encoding: 'UTF8' },
    ]);
  });

  test('refuses a second owner', async () => {
    const first = await own();
    const second = await own();
    expect(second.error).toContain('another Croupier uses');
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('stops when its owner is killed', async () => {
    const first = await own();
    await kill(first.process);
    await expect.poll(() => isRunning(first.pid)).toBe(false);
  });

  test('is ended by the next start if its owner was killed and left it running', async () => {
    const first = await own();
    await query(first.url, 'create table kept as select 1 as n');
    await killWatchdog(first.pid);
    await kill(first.process);
    expect(await isRunning(first.pid)).toBe(true);

    const second = await own();
    expect(await isRunning(first.pid)).toBe(false);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  test('starts again after everything was killed, even if its old pid belongs to another process by now', async () => {
    const first = await own();
    await query(first.url, 'create table kept as select 1 as n');
    await killWatchdog(first.pid);
    process.kill(first.pid, 'SIGKILL');
    await kill(first.process);
    const file = path.join(folder, 'cluster', 'postmaster.pid');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(process.pid)));

    const second = await own();
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  test('restarts at the same address after a crash', async () => {
    const postgres = new EmbeddedPostgres({ folder, log: testLog, durable: false });
    await postgres.start();
    try {
      const { url, pid } = postgres;
      process.kill(pid ?? 0, 'SIGKILL');
      await expect.poll(() => query(url, 'select 1 as one').catch(() => null)).toEqual([{ one: 1 }]);
      expect(postgres.url).toBe(url);
      expect(postgres.pid).not.toBe(pid);
    } finally {
      await postgres.stop();
    }
  });

  test('leaves nothing usable if its first start was killed in the middle', async () => {
    await writeFile(path.join(folder, 'password'), 'of a cluster that was never finished\n');
    await cp(fileURLToPath(new URL('.', import.meta.url)), path.join(folder, 'half-made-x'), { recursive: true });
    const owner = await own();
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

// Without root everything runs as the current user. supervisor/start.e2e.test.ts covers that, with the whole
// installation.
if (process.getuid?.() === 0) {
  test('if started as root below a closed folder, uses programs that another user can run', async () => {
    const user = await chooseOsUser('/nowhere');
    const { postgres } = await findBinaries(null);
    const native = path.join(folder, 'native');
    await cp(path.dirname(path.dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
    await chmod(folder, 0o700);
    expect(await openToOthers(path.join(native, 'bin', 'postgres'))).toBe(false);

    const found = await findBinaries(user, { native, version: `test-${process.pid}` });
    try {
      const child = spawn(found.postgres, ['--version'], { stdio: 'ignore', ...user });
      expect((await once(child, 'exit'))[0]).toBe(0);
    } finally {
      await rm(path.dirname(path.dirname(found.postgres)), { recursive: true });
    }
  });
}
