import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from 'pino';
import type { Service } from '../service.ts';
import { nextRestart } from './restart-delay.ts';
import { StartRefused } from './start-refused.ts';

/*
 * A child process of the supervisor, which restarts it when it exits.
 *
 *              start()              reports ready
 *   stopped -----------> starting --------------------> running
 *      ^                    ^                              |
 *      | stop()             | after a growing delay        | it exits unexpectedly
 *      |                    +---------- waiting <----------+
 *      +--- from anywhere: SIGTERM, after `stopLimitMs` SIGKILL
 *
 * A child that exits `maxFailedStarts` times before it was ever ready indicates an error in the installation, not a crash:
 * `start` then fails.
 */
export interface ChildOptions {
  name: string;
  script: string;
  args: readonly string[];
  /** Arguments for Node, before the script. */
  nodeArguments: readonly string[];
  env: Record<string, string | undefined>;
  log: Logger;
  /** Milliseconds from SIGTERM to SIGKILL. */
  stopLimitMs: number;
}

/** The message that a child sends over its channel when it is ready. */
export const readyMessage = 'ready';
const maxFailedStarts = 3;
const tie = new URL('./tie.ts', import.meta.url).href;

export class Child implements Service {
  readonly #options: ChildOptions;
  #process: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;
  #crashes = 0;
  #wasReady = false;
  #settle: { resolve: () => void; reject: (error: Error) => void } | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the child is ready for the first time. */
  start(): Promise<void> {
    this.#stopping = false;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#launch();
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const kill = setTimeout(() => {
      this.#options.log.error(
        { child: this.#options.name, limit_ms: this.#options.stopLimitMs },
        'did not stop in time; killed',
      );
      child.kill('SIGKILL');
    }, this.#options.stopLimitMs);
    await ended;
    clearTimeout(kill);
  }

  #launch(): void {
    const { name, script, args, nodeArguments, env, log } = this.#options;
    const startedAt = performance.now();
    const child = fork(script, args, {
      execArgv: [...nodeArguments, '--import', tie],
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#process = child;
    log.debug({ child: name, child_pid: child.pid }, 'started');
    child.on('message', (message) => {
      if (message === readyMessage) this.#ready();
    });
    const ended = (how: string) => {
      this.#process = undefined;
      if (!this.#stopping) this.#crashed(how, performance.now() - startedAt);
    };
    child.once('exit', (code, signal) => ended(signal ?? `code ${code}`));
    child.on('error', (error) => {
      // Without a pid, the process was never started, so there is no exit event.
      if (child.pid === undefined) ended(error.message);
    });
  }

  #ready(): void {
    this.#wasReady = true;
    this.#settle?.resolve();
  }

  #crashed(how: string, livedMs: number): void {
    const { name, log } = this.#options;
    const { delay_ms, crashes } = nextRestart(this.#crashes, livedMs);
    this.#crashes = crashes;
    if (!this.#wasReady && crashes >= maxFailedStarts) {
      this.#settle?.reject(
        new StartRefused(
          `The process ${name} exited ${crashes} times before it was ready (${how}). The log lines above show the cause.`,
          { mayPass: true },
        ),
      );
      return;
    }
    log.error({ child: name, how, lived_ms: Math.round(livedMs), delay_ms }, 'exited unexpectedly; restarting');
    this.#timer = setTimeout(() => this.#launch(), delay_ms);
  }
}
