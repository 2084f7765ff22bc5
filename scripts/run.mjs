/** Runs one TypeScript file of this repository under Node 24: `node scripts/run.mjs bench/main.ts ingest`. */
import { ensureInstalled, fail, runNode } from './bootstrap.mjs';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) fail('usage: node scripts/run.mjs <file.ts> [arguments]');
ensureInstalled({ tools: true });
// An error that the command does not catch is printed as one paragraph.
const reportUncaught = new URL('../packages/platform/src/report-uncaught.ts', import.meta.url).href;
process.exit(await runNode(['--import', reportUncaught, file, ...args]));
