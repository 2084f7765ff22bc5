import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { consoleFolder } from './folder.ts';

/**
 * Maximum size of the JavaScript that the first page loads, in bytes after gzip. Other pages are loaded when they are
 * opened.
 */
export const initialScriptLimit = 300_000;

/**
 * Returns the size, in bytes after gzip, of the scripts that the built index.html names: the first script and those
 * that it preloads.
 */
export async function initialScriptSize(): Promise<number> {
  const page = await readFile(join(consoleFolder, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(
    ([, file]) => file as string,
  );
  const bytes = await Promise.all(scripts.map((file) => readFile(join(consoleFolder, file))));
  return bytes.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0);
}
