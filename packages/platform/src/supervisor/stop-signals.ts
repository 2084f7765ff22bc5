import type { Logger } from 'pino';

/** A terminal sends Ctrl-C to us and to whoever started us, who passes it on: one press, two signals. */
const samePressMs = 1_000;

/**
 * Resolves with the first SIGTERM, SIGINT or SIGHUP. A further one, later than a second, ends the process at once: the
 * children end with it, and a person who presses Ctrl-C again means it.
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
          log.warn({ signal }, 'asked again to stop: ending at once');
          process.exit(1);
        }
      });
    }
  });
}
