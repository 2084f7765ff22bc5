import { parentPort } from 'node:worker_threads';
import { stop } from 'esbuild';
import { buildFiles } from './build.ts';

/** A thread that builds once and ends (see off-thread.ts). */
parentPort?.postMessage(await buildFiles());
await stop();
