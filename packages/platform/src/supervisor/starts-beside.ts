import type { Logger } from 'pino';
import type { Service, ServiceStack } from '../service.ts';

/** Starts the sandbox, which nobody's data depends on: when it cannot start, the platform goes on without it. @returns whether it runs */
export async function startsBeside(stack: ServiceStack, sandbox: Service, log: Logger): Promise<boolean> {
  try {
    await stack.start(sandbox);
    return true;
  } catch (error) {
    log.error({ err: error }, 'the sandbox did not start; Croupier runs without it');
    return false;
  }
}
