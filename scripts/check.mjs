/**
 * `npm run check`: types, lint, format, and the sizes of the browser script and of the console. All checks run even if one
 * fails; the exit code is 0 only if all passed.
 */
import { ensureInstalled, runNode } from './bootstrap.mjs';

ensureInstalled({ tools: true });
const checks = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['types of the browser script', ['node_modules/typescript/bin/tsc', '-p', 'packages/browser']],
  ['document of the console API', ['scripts/console-openapi.ts']],
  ['types of the console API', ['packages/console/build/schema.ts']],
  ['types of the console', ['node_modules/typescript/bin/tsc', '-p', 'packages/console']],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['size of the browser script', ['scripts/script-size.ts']],
  ['size of the console', ['scripts/console-size.ts']],
];
let failed = 0;
for (const [name, args] of checks) {
  const code = await runNode(args);
  process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'failed'}\n`);
  if (code !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
