import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../../testing/installation.ts';

/*
 * A folder with our scripts, a missing package, and a fake npm that reports when it installs and exits when the test says so.
 * A starter plays the npm of `npm start`: it runs scripts/start.mjs, and the test kills it.
 */
const npm = `
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
writeFileSync('installing', '');
while (!existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
mkdirSync('node_modules', { recursive: true });
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/x': { version: '1.0.0' } } }));
`;
const supervisor = `import { writeFileSync } from 'node:fs';
writeFileSync('running', String(process.pid));
setInterval(() => {}, 1_000);
process.once('disconnect', () => process.exit(0));
`;
const starter = `const { spawn } = require('node:child_process');
const env = { ...process.env, npm_lifecycle_event: 'start', npm_execpath: process.cwd() + '/npm.js' };
const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: 'ignore' });
require('node:fs').writeFileSync('pid', String(child.pid));
`;

test('if npm is killed while npm start installs, no process is left behind', { timeout: 60_000 }, async () => {
  await withStart(supervisor, async ({ there, write, parent, pid }) => {
    await expect.poll(() => there('installing')).toBeDefined();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await write('go', '');
    await expect.poll(async () => isAlive(await pid())).toBe(false);
    expect(await there('running')).toBeUndefined();
  });
});

/** A child that needs 3 s to stop, and records each signal that it gets. */
const slowSupervisor = `import { appendFileSync, writeFileSync } from 'node:fs';
writeFileSync('running', String(process.pid));
setInterval(() => {}, 1_000);
process.on('SIGTERM', () => {
  appendFileSync('signals', 'SIGTERM ');
  setTimeout(() => process.exit(0), 3_000);
});
`;

// A second signal would make the real supervisor exit immediately (stop-signals.ts).
test('if npm is killed, the supervisor gets one signal to stop', { timeout: 60_000 }, async () => {
  await withStart(slowSupervisor, async ({ there, write, parent, pid }) => {
    await write('go', '');
    await expect.poll(() => there('running'), { timeout: 20_000 }).toBeDefined();
    parent.kill('SIGKILL');
    await expect.poll(async () => isAlive(await pid()), { timeout: 20_000 }).toBe(false);
    expect(await there('signals')).toBe('SIGTERM ');
  });
});

interface Started {
  /** The text of a file in the folder; undefined if there is none. */
  there(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** The starter, which plays npm. */
  parent: ChildProcess;
  /** The pid of scripts/start.mjs. */
  pid(): Promise<number>;
}

async function withStart(supervisorCode: string, check: (started: Started) => Promise<void>): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  const there = (name: string) => readFile(path.join(root, name), 'utf8').catch(() => undefined);
  const write = (name: string, text: string) => writeFile(path.join(root, name), text);
  const pid = async () => Number((await there('pid')) ?? 0);
  try {
    await mkdir(path.join(root, 'packages/platform/src'), { recursive: true });
    await mkdir(path.join(root, 'scripts'));
    for (const name of ['start.mjs', 'bootstrap.mjs'])
      await cp(path.join(checkout, 'scripts', name), path.join(root, 'scripts', name));
    await write('package-lock.json', JSON.stringify({ packages: { 'node_modules/x': { version: '1.0.0' } } }));
    await write('package.json', '{"type":"commonjs"}');
    await write('npm.js', npm);
    await write('packages/platform/package.json', '{"type":"module"}');
    await write('packages/platform/src/main.ts', supervisorCode);
    await write('starter.js', starter);
    const parent = spawn(process.execPath, ['starter.js'], { cwd: root, stdio: 'ignore' });
    await expect.poll(pid, { timeout: 20_000 }).toBeGreaterThan(0);
    await check({ there, write, parent, pid });
  } finally {
    for (const left of [await pid(), Number((await there('running')) ?? 0)])
      if (left > 0 && isAlive(left)) process.kill(left, 'SIGKILL');
    await rm(root, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
