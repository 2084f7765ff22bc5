/** Runs one TypeScript file of this repository under Node 24: `node scripts/run.mjs bench/main.ts ingest`. */
import { ensureInstalled, fail, runNode } from './bootstrap.mjs';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) fail('usage: node scripts/run.mjs <file.ts> [arguments]');
ensureInstalled({ tools: true });
process.exit(await runNode([file, ...args]));
