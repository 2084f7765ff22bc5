import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * A secret in a separate file of the data folder, readable only by its owner. It is read, or generated the
 * first time. Two processes that start together get the same secret.
 */
export async function keepSecret(dataDir: string, name: string, make: () => string = randomSecret): Promise<string> {
  const file = path.join(dataDir, name);
  const retained = await readSecret(file);
  if (retained !== null) return retained;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // A link appears completely or not at all, and never replaces an existing file.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readSecret(file);
  if (made === null) throw new EmptySecret(`${file} is empty. Remove it, and the next start creates a new one.`);
  return made;
}

/** The file of a secret is empty, for example after a full disk. A person must decide, because its former content may be needed. */
export class EmptySecret extends Error {
  override name = 'EmptySecret';
}

async function readSecret(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
