import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder } from './folder.ts';

/*
 * The console's page is built once for a state of its sources. The build is made beside the old one and takes its place when it is whole, so a
 * build that is killed, or two at once, leave a page that works.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
/** What the page is made of: its sources, and the versions of libraries. */
const sources = ['src', 'build', 'index.html', 'package.json', '../../package-lock.json'];
/** In the folder of the build: the state of the sources it was made from. */
const note = 'sources.sha256';

/** Builds the page where it is missing or older than its sources. @returns whether it was built */
export async function buildConsole(): Promise<boolean> {
  const state = await stateOfSources();
  const built = await readFile(join(consoleFolder, note), 'utf8').catch(() => undefined);
  if (built === state) return false;
  const folder = fileURLToPath(new URL(`../dist/page-${process.pid}/`, import.meta.url));
  try {
    // The bundler takes a second to load, and is needed here only.
    const { bundle } = await import('./bundle.ts');
    await bundle(folder);
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

/** Sorted; a file is the only one below itself. */
async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
