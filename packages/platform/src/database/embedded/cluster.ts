import { spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { keepSecret } from '../../kept-secret.ts';
import type { Binaries } from './binaries.ts';
import type { OsUser } from './os-user.ts';

/** The contents of the embedded server's folder: the cluster itself, and the password, which only our user can read. */
export interface Cluster {
  folder: string;
  password: string;
}

const databaseUser = 'croupier';
/** Contains all our data. `postgres`, which each cluster has, is used to administer the cluster. */
export const databaseName = 'croupier';
const majorVersion = '18';
const halfMade = 'half-made-';

/** Contains nothing from the caller's environment, because its PGDATA, PGOPTIONS or locale would change what the programs do. */
export const serverEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * The path by which a program that we start opens its folder. As another user it often cannot reach a path below
 * DATA_DIR, because DATA_DIR and folders above it are closed to that user. But a process keeps the working folder that
 * root gave it before the change of user, and on Linux `/proc/self/cwd` refers to it.
 */
export function folderArgument(folder: string, user: OsUser | null): string {
  return user !== null && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/** Creates the cluster at the first start. If a start is killed halfway, it leaves a folder that is never used. */
export async function ensureCluster(
  root: string,
  binaries: Binaries,
  user: OsUser | null,
  durable: boolean,
): Promise<Cluster> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folder = clusterFolder(root);
  const version = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`cannot read ${folder} (${error.code}): it belongs to the user who started Croupier here first`);
  });
  if (version !== null) {
    if (version.trim() !== majorVersion) {
      throw new Error(
        `${folder} was written by PostgreSQL ${version.trim()}, but this version contains PostgreSQL ${majorVersion}: ` +
          'dump it with the old version and load it into an empty DATA_DIR',
      );
    }
    return { folder, password: await keepSecret(root, 'password') };
  }
  await removeHalfMade(root);
  const password = await keepSecret(root, 'password');
  const half = await mkdtemp(path.join(root, halfMade));
  try {
    if (user !== null) await chown(half, user.uid, user.gid);
    await initdb(binaries, half, user, password, durable);
    await rename(half, folder).catch((error: NodeJS.ErrnoException) => {
      // Another start was faster. Its cluster has the same password.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  return { folder, password };
}

export function databaseUrl(password: string, port: number, name: string = databaseName): string {
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${name}`;
}

async function removeHalfMade(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (name.startsWith(halfMade)) await rm(path.join(root, name), { recursive: true, force: true });
  }
}

export function clusterFolder(root: string): string {
  return path.join(root, 'cluster');
}

/**
 * UTF8 and the built-in locale C.UTF-8: text sorts by code point and upper/lower support all of Unicode, on every
 * machine and under every LANG. No system library can change the order on which an index depends.
 */
async function initdb(
  binaries: Binaries,
  folder: string,
  user: OsUser | null,
  password: string,
  durable: boolean,
): Promise<void> {
  const args = [
    `--pgdata=${folderArgument(folder, user)}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth=scram-sha-256',
    `--username=${databaseUser}`,
    '--pwfile=/dev/stdin',
    ...(durable ? [] : ['--no-sync']),
  ];
  // The password comes through a pipe of the shell. Node's own stdin would not work, because it is a socket, and
  // `/dev/stdin` cannot open a socket again. A file would not work, because the other user cannot read our files.
  const command = ['-c', 'cat | "$0" "$@"', binaries.initdb, ...args];
  const child = spawn('/bin/sh', command, { cwd: folder, env: serverEnvironment, ...(user ?? {}) });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  child.stdin.end(`${password}\n`);
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb failed (${code}): ${output.trim().slice(-2000)}`));
    });
  });
}
