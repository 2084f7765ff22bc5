import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A measured process or a load generator: a separate process of our own Node, ended by its id. */
export interface Child {
  process: ChildProcess;
  stop(): Promise<void>;
}

const repository = path.resolve(import.meta.dirname, '..');
const readyLimitMs = 30_000;
const stopLimitMs = 10_000;

/** Starts a script of the repository and waits for its first message. */
export async function startChild(
  script: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  execArgv: readonly string[] = [],
): Promise<Child> {
  const child = fork(path.join(repository, script), [...args], {
    cwd: repository,
    execArgv: [...execArgv],
    env: { ...process.env, ...env },
    stdio: ['ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore', 'inherit', 'ipc'],
  });
  const signal = AbortSignal.timeout(readyLimitMs);
  await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(([code]) =>
      Promise.reject(new Error(`${script} exited with code ${code} before it was ready`)),
    ),
  ]);
  return {
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await gone;
      clearTimeout(timer);
    },
  };
}
