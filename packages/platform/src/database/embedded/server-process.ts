import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Binaries } from './binaries.ts';
import { type Cluster, folderArgument, serverEnvironment } from './cluster.ts';
import type { OsUser } from './os-user.ts';
import { readPostmasterFile, stopSignals } from './postmaster.ts';
import { logServerLine } from './server-log.ts';

/** One run of the server, from its start to its end for any reason. */
export interface ServerProcess {
  pid: number;
  /** Resolves with the cause when it has ended, or with the system's message if it could not be started. */
  ended: Promise<string>;
  /** The last lines of the server's log, for the error message of a failed start. */
  logTail(): string;
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
    // The pid in a leftover file may belong to another program by now, and then PostgreSQL would refuse to start. It
    // ignores the pid given here, but still checks that no backend of the killed server is alive.
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
    logTail: () => words.trim(),
    async stop(fastMs) {
      for (const [signal, limitMs] of stopSignals(fastMs)) {
        if (signal === 'SIGQUIT') {
          log.info(
            { limit_ms: fastMs },
            'PostgreSQL stops without its last checkpoint; the next start recovers from the write-ahead log',
          );
        }
        child.kill(signal);
        if (await Promise.race([ended, delay(limitMs, false, { ref: false })])) return;
      }
    },
  };
}
