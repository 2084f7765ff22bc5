import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Binaries } from './binaries.ts';
import { type Cluster, folderArgument, serverEnvironment } from './cluster.ts';
import type { OsUser } from './os-user.ts';
import { readPostmasterFile, stopSignals } from './postmaster.ts';
import { logServerLine } from './server-log.ts';

/** One run of the server: from its start to its end, whatever ends it. */
export interface ServerProcess {
  pid: number;
  /** Resolves, with how, when it has ended; with the system's words when it could not even be started. */
  ended: Promise<string>;
  /** The end of what it logged, for the error of a start that failed. */
  lastWords(): string;
  stop(fastMs: number): Promise<void>;
}

const maxWords = 1_000;

export async function startServerProcess(options: {
  binaries: Binaries;
  user: OsUser | null;
  cluster: Cluster;
  settings: Record<string, string>;
  log: Logger;
}): Promise<ServerProcess> {
  const { binaries, user, cluster, settings, log } = options;
  const left = await readPostmasterFile(cluster.folder);
  const args = ['-D', folderArgument(cluster.folder, user)];
  for (const [name, value] of Object.entries(settings)) args.push(`--${name}=${value}`);
  const child = spawn(binaries.postgres, args, {
    cwd: cluster.folder,
    // The pid in a left file may be another program's by now, and PostgreSQL would not start beside it. It ignores the
    // pid given here, and still makes sure that no backend of the killed server lives.
    env: { ...serverEnvironment, ...(left ? { PG_GRANDPARENT_PID: String(left.pid) } : {}) },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...(user ?? {}),
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-maxWords);
    for (const line of text.split('\n')) logServerLine(log, line);
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`));
  });
  return {
    pid: child.pid ?? 0,
    ended,
    lastWords: () => words.trim(),
    async stop(fastMs) {
      for (const [signal, limitMs] of stopSignals(fastMs)) {
        if (signal === 'SIGQUIT') {
          log.info(
            { limit_ms: fastMs },
            'PostgreSQL ends without its last checkpoint; the next start recovers from its log',
          );
        }
        child.kill(signal);
        if (await Promise.race([ended, delay(limitMs, false, { ref: false })])) return;
      }
    },
  };
}
