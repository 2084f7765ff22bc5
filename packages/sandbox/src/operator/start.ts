import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOperator, type OperatorOptions } from './operator.ts';

export interface StartOptions extends OperatorOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
}

export type SandboxOperator = Awaited<ReturnType<typeof startSandboxOperator>>;

/**
 * Starts a fake operator on its own port. `url` is the value of a brand's `operator.base_url` (prefix included), `tokenUrl`
 * that of its `auth.token_url`. `stop()` closes all open connections, including calls that a dial left without an answer.
 */
export async function startSandboxOperator(options: StartOptions = {}) {
  const { handle, ...operator } = createOperator(options);
  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy());
  });
  // Longer than any client keeps an idle connection, so that the operator never closes one while a call starts.
  server.keepAliveTimeout = 75_000;
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host ?? '127.0.0.1'}:${port}${options.prefix ?? ''}`;

  return {
    ...operator,
    url,
    port,
    tokenUrl: `${url}/oauth/token`,
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
