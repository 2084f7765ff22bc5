import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { nodeArguments } from '../../packages/platform/src/supervisor/node-arguments.ts';

/**
 * `npm run reconciliation-proof`: lists of millions, and their corrections, in bounded memory (../README.md).
 *
 * The process gets the same settings as a supervisor's worker, because they limit how far garbage grows before V8 collects it.
 * With the settings of plain Node, the process grew by 120 to 150 MB through the corrections alone.
 */
const measured = fork(path.join(import.meta.dirname, 'measured.ts'), process.argv.slice(2), {
  execArgv: [...nodeArguments('worker')],
  stdio: 'inherit',
});
const [code] = (await once(measured, 'exit')) as [number | null];
process.exitCode = code ?? 1;
