import { Worker } from 'node:worker_threads';
import type { BuiltScripts } from './build.ts';

/**
 * Builds in a separate thread, because minifying blocks a thread for 700 ms. During this time, the process could not
 * answer calls.
 *
 * @throws if a file does not compile, or the thread ends without an answer
 */
export function buildOffThread(): Promise<BuiltScripts> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { name: 'browser script' });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the build of the browser script ended with ${code}`)));
  });
}
