import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../../testing/installation.ts';

/*
 * A folder with our scripts, a missing package, and a fake npm that reports when it installs and exits when the test says so.
 * Meanwhile the test kills the process that started `npm start`.
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

test('killing any process while npm start installs leaves no process behind', { timeout: 60_000 }, async () => {
  const root = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  const there = (name: string) => readFile(path.join(root, name), 'utf8').catch(() => undefined);
  let pid = 0;
  try {
    await mkdir(path.join(root, 'packages/platform/src'), { recursive: true });
    await mkdir(path.join(root, 'scripts'));
    for (const name of ['start.mjs', 'bootstrap.mjs'])
      await cp(path.join(checkout, 'scripts', name), path.join(root, 'scripts', name));
    await writeFile(
      path.join(root, 'package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/x': { version: '1.0.0' } } }),
    );
    await writeFile(path.join(root, 'package.json'), '{"type":"commonjs"}');
    await writeFile(path.join(root, 'npm.js'), npm);
    await writeFile(path.join(root, 'packages/platform/package.json'), '{"type":"module"}');
    await writeFile(path.join(root, 'packages/platform/src/main.ts'), supervisor);
    await writeFile(path.join(root, 'starter.js'), starter);
    const parent = spawn(process.execPath, ['starter.js'], { cwd: root, stdio: 'ignore' });
    await expect.poll(() => there('installing')).toBeDefined();
    pid = Number(await there('pid'));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await writeFile(path.join(root, 'go'), '');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await there('running')).toBeUndefined();
  } finally {
    for (const left of [pid, Number((await there('running')) ?? 0)])
      if (left > 0 && isAlive(left)) process.kill(left, 'SIGKILL');
    await rm(root, { recursive: true, force: true });
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
