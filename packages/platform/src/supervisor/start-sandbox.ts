import type { Logger } from 'pino';
import type { Service, ServiceStack } from '../service.ts';

/**
 * Starts the sandbox. No data depends on it, so if it cannot start, the platform continues without it. @returns whether it runs
 */
export async function startSandbox(stack: ServiceStack, sandbox: Service, log: Logger): Promise<boolean> {
  try {
    await stack.start(sandbox);
    return true;
  } catch (error) {
    log.error({ reason: (error as Error).message }, 'the sandbox did not start; Croupier runs without it');
    return false;
  }
}
