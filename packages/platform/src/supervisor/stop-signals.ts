import type { Logger } from 'pino';

/** A terminal sends Ctrl-C to this process and to its parent, which passes it on. So one press causes two signals. */
const samePressMs = 1_000;

/**
 * Resolves with the first SIGTERM, SIGINT or SIGHUP. Another one, more than a second later, ends the process immediately
 * together with its children, because the person wants it to end now.
 */
export function stopSignal(log: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (firstAt === undefined) {
          firstAt = performance.now();
          resolve(signal);
        } else if (performance.now() - firstAt > samePressMs) {
          log.warn({ signal }, 'second stop signal: exiting immediately');
          process.exit(1);
        }
      });
    }
  });
}
