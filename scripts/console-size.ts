/**
 * Part of `npm run check`, the size of the console: builds the console if it is outdated, and fails if its first page would
 * load more than the limit.
 */
import { buildConsole } from '../packages/console/build/build.ts';
import { initialScriptLimit, initialScriptSize } from '../packages/console/build/size.ts';

await buildConsole();
const size = await initialScriptSize();
const written = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;
process.stdout.write(`first scripts ${written(size)} gzip of ${written(initialScriptLimit)}\n`);
if (size === 0 || size > initialScriptLimit) process.exitCode = 1;
