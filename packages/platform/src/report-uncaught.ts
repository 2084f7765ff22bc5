import { isMainThread } from 'node:worker_threads';
import { describeUnknownFailure } from './unknown-failure.ts';

/*
 * Prints an error that nothing caught as one paragraph, instead of Node's stack trace. Then the process exits with 1, as Node
 * would. It is loaded before the code of every process of the server (main.ts, tie.ts) and of every command (scripts/run.mjs).
 *
 * A worker thread does not load it: its errors reach the thread that started it.
 */
if (isMainThread) {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${describeUnknownFailure(error)}\n`);
    process.exit(1);
  });
}
