import { gzipSync } from 'node:zlib';
import type { BuiltScripts } from './build.ts';

/*
 * The size of the script for a page: bytes after gzip, as the server sends them. The limits (3,000 and 20,000 bytes)
 * are promised to the pages that load it. A change that needs more bytes must save them elsewhere.
 */
export const sizeLimits = { loader: 3_000, everything: 20_000 };

export interface ScriptSizes {
  loader: number;
  app: number;
  pushWorker: number;
  /** Everything that a page may ever load. */
  everything: number;
}

export function sizesOf(built: BuiltScripts): ScriptSizes {
  const bytes = (text: string) => (text === '' ? 0 : gzipSync(text, { level: 9 }).length);
  const [loader, app, pushWorker] = [bytes(built.loader), bytes(built.app), bytes(built.pushWorker)];
  return { loader, app, pushWorker, everything: loader + app + pushWorker };
}
