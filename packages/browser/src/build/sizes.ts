import { gzipSync } from 'node:zlib';
import type { BuiltScripts } from './build.ts';

/*
 * What a page pays for the script: bytes after gzip, as the server sends them. The limits, 3 KB and 20 KB of
 * 1,000 bytes, are a promise to the pages that load it; whoever needs more takes it away elsewhere.
 */
export const sizeLimits = { loader: 3_000, everything: 20_000 };

export interface ScriptSizes {
  loader: number;
  app: number;
  pushWorker: number;
  /** All that a page may ever load. */
  everything: number;
}

export function sizesOf(built: BuiltScripts): ScriptSizes {
  const bytes = (text: string) => (text === '' ? 0 : gzipSync(text, { level: 9 }).length);
  const [loader, app, pushWorker] = [bytes(built.loader), bytes(built.app), bytes(built.pushWorker)];
  return { loader, app, pushWorker, everything: loader + app + pushWorker };
}
