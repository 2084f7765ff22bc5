import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout, type Installation, startInstallation } from '../../testing/installation.ts';

/*
 * A copy of this checkout in a folder that only its owner can read, started by an ordinary user (the tests' own user, unless
 * that is root) with LANG=C. The bootstrap runs with CROUPIER_OLD_NODE, or with the machine's Node if that is older than the
 * bundled one.
 */
let folder: string;
const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Packages that only tests and checks need: 200 MB that are not copied. */
const toolsOnly = ['@biomejs', '@typescript', 'typescript', '@rolldown', 'lightningcss*', 'vite', 'vitest', '.cache'];

/** Copies with tar: for these 20,000 files, `cp` of Node takes 18 s of CPU, and tar 4. */
const copy = `tar -c ${toolsOnly.map((name) => `--exclude='node_modules/${name}'`).join(' ')} "$@" | tar -x -C "$0"`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  const root = path.join(folder, 'croupier');
  await mkdir(root);
  const names = ['packages', 'scripts', 'package.json', 'package-lock.json', 'node_modules'];
  await promisify(execFile)('sh', ['-c', copy, root, ...names], { cwd: checkout });
  if (ordinary) await promisify(execFile)('chown', ['-R', `${ordinary.uid}:${ordinary.gid}`, folder]);
  await chmod(folder, 0o700);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The Node of the machine, outside any node_modules; undefined if there is none. */
async function machineNode(): Promise<string | undefined> {
  for (const entry of [process.env.CROUPIER_OLD_NODE, '/usr/bin/node', '/usr/local/bin/node']) {
    if (entry && (await stat(entry).catch(() => null))) return entry;
  }
  return undefined;
}

test('an ordinary user starts Croupier in a folder closed to others, with LANG=C', { timeout: 60_000 }, async () => {
  let installation: Installation | undefined;
  const dataDir = path.join(folder, 'data');
  const node = await machineNode();
  try {
    installation = await startInstallation({
      dataDir,
      root: path.join(folder, 'croupier'),
      env: { LANG: 'C', LC_ALL: 'C', HOME: folder },
      ...(node ? { node } : {}),
      ...(ordinary ? { user: ordinary } : {}),
    });
    expect((await fetch(`${installation.url}/health/ready`)).status).toBe(200);
    const owner = (await stat(path.join(dataDir, 'postgres', 'cluster'))).uid;
    expect(owner).toBe(ordinary?.uid ?? process.getuid?.());
  } finally {
    expect(await installation?.stop()).toBe(0);
  }
});
