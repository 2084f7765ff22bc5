/** `npm test [-- files or vitest options]`: installs what is missing and runs every test. */
import { ensureInstalled, runNode } from './bootstrap.mjs';

ensureInstalled({ tools: true });
const vitest = 'node_modules/vitest/vitest.mjs';
const reporters = ['--reporter=default', '--reporter=./scripts/skip-reporter.ts'];
process.exit(await runNode([vitest, 'run', ...reporters, ...process.argv.slice(2)]));
