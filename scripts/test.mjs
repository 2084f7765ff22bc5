/**
 * `npm test [-- files or vitest options]`: installs what is missing, including a browser, and runs every test. If no browser
 * can be installed, the tests that need one are skipped with that reason, which is a failure in CI.
 */
import { ensureInstalled, runNode } from './bootstrap.mjs';

ensureInstalled({ tools: true });
await runNode(['packages/platform/testing/browser/install-browser.ts']);
// Builds once here; otherwise each of the tests that start installations would find an outdated build.
await runNode(['packages/console/build/main.ts']);
const vitest = 'node_modules/vitest/vitest.mjs';
const reporters = ['--reporter=default', '--reporter=./scripts/skip-reporter.ts'];
process.exit(await runNode([vitest, 'run', ...reporters, ...process.argv.slice(2)]));
