/** `npm start`: installs what is missing and runs the supervisor (packages/platform/src/supervisor). */
import { ensureInstalled, runNode } from './bootstrap.mjs';

ensureInstalled({ tools: false });
process.exit(await runNode(['packages/platform/src/main.ts', 'supervisor', ...process.argv.slice(2)], { tied: true }));
