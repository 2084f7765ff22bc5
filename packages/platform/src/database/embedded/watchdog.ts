import { spawn } from 'node:child_process';

/** Stops a server whose owner was killed. */
export interface Watchdog {
  stop(): Promise<void>;
}

/**
 * A shell (1 MB) that waits for a line from our process. If its input ends without a line, our process is gone, and the
 * shell stops the server.
 */
export function watch(serverPid: number): Watchdog {
  const shell = spawn('/bin/sh', ['-c', 'read -r end || kill -INT "$0"', String(serverPid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    shell.on('exit', () => resolve());
    shell.on('error', () => resolve());
  });
  return {
    stop() {
      shell.stdin.end('end\n');
      return ended;
    },
  };
}
