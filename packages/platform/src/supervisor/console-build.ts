import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Logger } from 'pino';
import type { Service } from '../service.ts';

const script = createRequire(import.meta.url).resolve('@croupier/console/main');

/**
 * Builds the console's page if it is missing or outdated, in parallel to the start. Meanwhile, the platform works, and
 * `/console` says that the page is being built. If the build fails, the platform continues to run.
 */
export function consoleBuild(log: Logger): Service {
  let child: ChildProcess | undefined;
  return {
    start: async () => {
      child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr?.on('data', (piece: Buffer) => {
        said += piece.toString();
      });
      child.on('error', (err) => log.error({ err }, 'the console cannot be built'));
      child.on('exit', (code) => {
        if (code !== 0 && code !== null)
          log.error({ code, said }, 'the console cannot be built; run `npm run build` for details');
      });
    },
    stop: async () => {
      child?.kill('SIGTERM');
    },
  };
}
