/**
 * `npm test [-- files or vitest options]`: installs what is missing, a browser too, and runs every test. Where no browser can be had
 * the tests that need one are skipped with that reason, which is a failure in CI.
 */
import { ensureInstalled, runNode } from './bootstrap.mjs';

ensureInstalled({ tools: true });
await runNode(['packages/platform/testing/browser/install-browser.ts']);
// Once, before tests that start installations would each find it old.
await runNode(['packages/console/build/main.ts']);
const vitest = 'node_modules/vitest/vitest.mjs';
const reporters = ['--reporter=default', '--reporter=./scripts/skip-reporter.ts'];
process.exit(await runNode([vitest, 'run', ...reporters, ...process.argv.slice(2)]));
