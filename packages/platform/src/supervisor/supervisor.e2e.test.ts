import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  childPids,
  databasePid,
  type Installation,
  type InstallationOptions,
  startInstallation,
} from '../../testing/installation.ts';
import { findRunningPostgres } from '../database/index.ts';

let dataDir: string;
let installations: Installation[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  installations = [];
});

afterEach(async () => {
  for (const one of installations) if (isAlive(one.process.pid)) await one.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(options: Omit<InstallationOptions, 'dataDir'> = {}): Promise<Installation> {
  const installation = await startInstallation({ dataDir, ...options });
  installations.push(installation);
  return installation;
}

const login = (userId: string) => ({ user_id: userId, timestamp: '2026-05-01T08:27:58Z', origin: 'demo' });

/** The status of a login event; 0 if there is no answer. */
async function publish({ url, key }: Installation, userId: string): Promise<number> {
  const answer = await fetch(`${url}/v2/integration/login`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(login(userId)),
  }).catch(() => null);
  await answer?.arrayBuffer().catch(() => {});
  return answer?.status ?? 0;
}

async function storedEvents(): Promise<number> {
  const client = new pg.Client({ connectionString: (await findRunningPostgres(`${dataDir}/postgres`)) ?? '' });
  await client.connect();
  const { rows } = await client.query('select coalesce(sum(event_count), 0)::int as events from ledger_block');
  await client.end();
  return rows[0].events;
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs `then` as soon as the database's first line is logged. */
async function atFirstLine(child: ChildProcess, then: () => void): Promise<void> {
  if (child.stdout === null) return;
  for await (const [chunk] of on(child.stdout, 'data')) {
    if (String(chunk).includes('starting PostgreSQL')) return then();
  }
}

/** Kills every child of this name before it is ready, as soon as the supervisor reports that it started one. */
async function killEach(name: 'sandbox' | 'api 1', { stdout }: ChildProcess): Promise<void> {
  if (stdout === null) return;
  const report = new RegExp(`"child":"${name}","child_pid":(\\d+),"msg":"started"`);
  for await (const [chunk] of on(stdout, 'data', { close: ['end'] })) {
    const started = report.exec(String(chunk));
    if (started) process.kill(Number(started[1]), 'SIGKILL');
  }
}

/** The only process of a role. */
async function pidOf(installation: Installation, role: string): Promise<number> {
  const [pid] = await childPids(installation.process.pid ?? 0, `croupier ${role}`);
  if (pid === undefined) throw new Error(`there is no ${role} process:\n${installation.output()}`);
  return pid;
}

const pollOptions = { timeout: 60_000 };

describe('an installation', { timeout: 180_000 }, () => {
  test('serves, keeps its secrets, stops without leaving anything behind, and starts again; another one says that its port or data folder is in use', async () => {
    const first = await start();
    expect((await fetch(`${first.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
    expect(await publish(first, 'u1')).toBe(200);
    expect(await publish({ ...first, key: 'crk_wrong' }, 'u1')).toBe(401);
    expect(first.output()).toContain('Console login');
    const token = await first.adminToken();
    expect(first.output()).toContain(token);
    for (const name of ['secret', 'admin-token', 'demo-key']) {
      expect((await stat(path.join(dataDir, name))).mode & 0o077).toBe(0);
    }

    const pids = await childPids(first.process.pid ?? 0, '');
    expect(pids.length).toBeGreaterThanOrEqual(3);
    expect(await first.stop()).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await databasePid(dataDir)).toBeNull();
    expect(first.output()).not.toMatch(/"level":"(warn|error|fatal)"/);

    const second = await start();
    expect(second.key).toBe(first.key);
    expect(second.output()).not.toContain('Console login');
    expect(second.output()).not.toContain(token);
    expect(await storedEvents()).toBe(1);

    const { port } = new URL(second.url);
    const onPort = startInstallation({ dataDir: path.join(dataDir, 'second'), env: { PORT: port } });
    await expect(onPort).rejects.toThrow(`Port ${port} is in use`);
    await expect(startInstallation({ dataDir })).rejects.toThrow('Another Croupier uses');
  });

  test('restarts any part that is killed, and keeps everything that it acknowledged if all parts are killed', async () => {
    const one = await start();
    let acknowledged = 0;
    for (const role of ['api', 'worker']) {
      const pid = await pidOf(one, role);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => pidOf(one, role).catch(() => pid), pollOptions).not.toBe(pid);
      await expect.poll(() => publish(one, `after ${role}`), pollOptions).toBe(200);
      acknowledged++;
    }
    const database = await databasePid(dataDir);
    process.kill(database ?? 0, 'SIGKILL');
    // Its backends may run for a moment longer; only the next server counts.
    await expect.poll(() => databasePid(dataDir), pollOptions).not.toBe(database);
    await expect.poll(() => publish(one, 'after database'), pollOptions).toBe(200);
    acknowledged++;

    const statuses = await Promise.all(Array.from({ length: 50 }, (_, n) => publish(one, `u${n}`)));
    await one.killAll();
    acknowledged += statuses.filter((status) => status === 200).length;
    await start();
    expect(await storedEvents()).toBeGreaterThanOrEqual(acknowledged);
    expect(acknowledged).toBeGreaterThan(3);
  });

  test('simulates a casino if nothing is configured; if its supervisor is killed, no process is left', async () => {
    const one = await start({ args: [] });
    expect(one.output()).toMatch(/Demo casino +http:/);
    await expect.poll(storedEvents, pollOptions).toBeGreaterThan(3);
    const pids = await childPids(one.process.pid ?? 0, '');
    expect(pids.length).toBeGreaterThanOrEqual(4);
    const [supervisor] = await childPids(one.process.pid ?? 0, 'croupier supervisor');
    process.kill(supervisor ?? 0, 'SIGKILL');
    await expect.poll(() => pids.filter(isAlive), pollOptions).toEqual([]);
    await expect.poll(() => databasePid(dataDir), pollOptions).toBeNull();
  });

  test('reads a configuration file; several api processes share the port; if the process that started it is killed, no process is left', async () => {
    const file = path.join(dataDir, 'croupier.yaml');
    await writeFile(
      file,
      `processes: { api: 2 }
brands:
  - code: mine
    name: Mine
    api_keys: [{ name: main, key: "\${MY_KEY}" }]
`,
    );
    const key = 'a key of sixteen or more';
    const one = await start({ env: { CROUPIER_CONFIG: file, MY_KEY: key, CROUPIER_ADMIN_TOKEN: 'a token of my own' } });
    const pids = await childPids(one.process.pid ?? 0, '');
    const apis = await childPids(one.process.pid ?? 0, 'croupier api');
    expect(apis).toHaveLength(2);
    expect(one.key).toBe('');
    expect(one.output()).not.toContain('a token of my own');
    expect(await publish({ ...one, key }, 'u1')).toBe(200);
    process.kill(apis[0] ?? 0, 'SIGKILL');
    await expect.poll(() => publish({ ...one, key }, 'u1'), pollOptions).toBe(200);

    one.process.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), pollOptions).toEqual([]);
    await expect.poll(() => databasePid(dataDir), pollOptions).toBeNull();
  });

  test('shows the console password at the first successful start, if an earlier start failed because its api did not start', async () => {
    const starting = startInstallation({
      dataDir,
      env: { LOG_LEVEL: 'debug' },
      onSpawn: (child) => void killEach('api 1', child),
    });
    await expect(starting).rejects.toThrow('Croupier did not start (exit code 1)');
    expect((await start()).output()).toContain('Console login');
  });

  test('runs without the sandbox if the sandbox cannot start', async () => {
    const one = await start({
      args: [],
      env: { LOG_LEVEL: 'debug' },
      onSpawn: (child) => void killEach('sandbox', child),
    });
    expect(one.output()).toContain('the sandbox did not start; Croupier runs without it');
    expect(one.output()).not.toMatch(/Demo casino +http:/);
    expect(await publish(one, 'u1')).toBe(200);
    expect(await one.stop()).toBe(0);
  });

  test('also stops in the middle of its first start', async () => {
    const options = { dataDir, env: { LOG_LEVEL: 'debug' } };
    const starting = startInstallation({
      ...options,
      onSpawn: (child) => void atFirstLine(child, () => child.kill('SIGTERM')),
    });
    await expect(starting).rejects.toThrow('Croupier did not start (exit code 0)');
    await expect.poll(() => databasePid(dataDir), pollOptions).toBeNull();
    await start();
  });

  test.each([
    ['a mistake in the configuration', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [
      'an address that is not a PostgreSQL database',
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL must be the address of a PostgreSQL database',
    ],
  ])('explains why it cannot start: %s', async (_name, env, expected) => {
    await expect(start({ env })).rejects.toThrow(expected);
  });
});
