import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder } from './folder.ts';
import { keepFormerAssets } from './former-assets.ts';

/*
 * The page of the console is built once for each state of its sources. The build is written to a folder beside the old
 * one, and replaces it when it is complete. So the page still works if a build is killed, or if two builds run at the
 * same time.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
/** The inputs of a build: the sources of the page, and the versions of libraries. */
const sources = ['src', 'build', 'index.html', 'package.json', '../../package-lock.json'];
/** File in the folder of the build. It contains a hash of the sources. */
const note = 'sources.sha256';

/** Builds the page if it is missing or older than its sources. @returns whether it was built */
export async function buildConsole(): Promise<boolean> {
  const state = await stateOfSources();
  const built = await readFile(join(consoleFolder, note), 'utf8').catch(() => undefined);
  if (built === state) return false;
  const folder = fileURLToPath(new URL(`../dist/page-${process.pid}/`, import.meta.url));
  try {
    // Imported here because the bundler takes a second to load and is rarely needed.
    const { bundle } = await import('./bundle.ts');
    await bundle(folder);
    await keepFormerAssets(consoleFolder, folder);
    await writeFile(join(folder, note), state);
    await rm(consoleFolder, { recursive: true, force: true });
    await rename(folder, consoleFolder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}

async function stateOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesBelow(join(root, source))) {
      hash.update(`${relative(root, file)}\n`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** Returns the files below a path, sorted. If the path is a file, the result is this file. */
async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
