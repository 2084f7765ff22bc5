import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How long to wait for a database that starts at the same time (in one compose file), or that is slow because the machine is busy. */
const waitLimitMs = 60_000;
export const retryMs = 1_000;
const logEveryMs = 10_000;

/** Calls `ask` until the database answers, for up to a minute. Other errors are thrown immediately. It logs every 10 s, not each attempt. */
export async function whenReachable<T>(ask: () => Promise<T>, log: Logger): Promise<T> {
  const deadline = performance.now() + waitLimitMs;
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error) || performance.now() > deadline) throw error;
      if (performance.now() - loggedAt >= logEveryMs) {
        loggedAt = performance.now();
        log.warn({ reason: (error as Error).message }, 'the database does not answer yet; retrying for up to a minute');
      }
      await delay(retryMs);
    }
  }
}

/** Waiting does not help against a wrong password or a missing database, but it does while a server is still starting. */
function mayPass(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // 55000: the recovery ended while its state was read.
  const passing = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P03', '55000'];
  return passing.includes(String(code)) || /timeout|terminated unexpectedly/i.test(String(message));
}
