import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { nodeArguments } from '../../packages/platform/src/supervisor/node-arguments.ts';

/**
 * `npm run reconciliation-proof`: lists of millions, and what they correct, in bounded memory (../README.md).
 *
 * In a process that is told what the supervisor tells a worker's: how far V8 lets garbage grow before it collects is one of these
 * settings, and with those of plain Node the corrections alone grew it by 120 to 150 MB.
 */
const measured = fork(path.join(import.meta.dirname, 'measured.ts'), process.argv.slice(2), {
  execArgv: [...nodeArguments],
  stdio: 'inherit',
});
const [code] = (await once(measured, 'exit')) as [number | null];
process.exitCode = code ?? 1;
