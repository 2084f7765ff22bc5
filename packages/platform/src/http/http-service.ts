import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.ts';
import type { Upgrades } from './upgrades.ts';

/**
 * When the server stops, calls that are not answered after 3 s are cut. Most of them are requests that never arrive
 * completely. A commit takes milliseconds, and the process has 10 s in all (docs/reference/design.md 6).
 */
const stopLimitMs = 3_000;
/** How often a stopping server closes the connections whose calls have been answered. */
const closeIdleMs = 25;

export interface HttpServiceOptions {
  port: number;
  host: string | undefined;
  /** @param stopping aborted when the port accepts no more connections. Streams that never end by themselves must then end. */
  build: (stopping: AbortSignal) => Promise<FastifyInstance>;
  /** The object that the server was built with. It is drained when the service stops. */
  upgrades?: Upgrades;
}

/** Listens on the port. Several api processes share it, each with its own socket (SO_REUSEPORT). */
export class HttpService implements Service {
  readonly #options: HttpServiceOptions;
  readonly #stopping = new AbortController();
  #app: FastifyInstance | undefined;

  constructor(options: HttpServiceOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { port, host, build } = this.#options;
    const app = await build(this.#stopping.signal);
    await app.ready();
    // app.listen is not used: without a host it would listen on localhost only, and it never passes on `reusePort`.
    await new Promise<void>((resolve, reject) => {
      app.server.once('error', reject);
      app.server.listen({ port, host, reusePort: process.platform === 'linux' }, () => {
        app.server.off('error', reject);
        resolve();
      });
    });
    this.#app = app;
  }

  /** The port in use. Callers that requested any free port read it here. */
  get port(): number {
    const address = this.#app?.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
    return address.port;
  }

  /**
   * Accepts no more connections, answers open calls, and closes idle connections. The server is closed first and by hand,
   * because Fastify closes only a server with which it listened itself. Sockets are ended after the port is closed, so that a
   * client that reconnects immediately reaches another process. The server counts sockets as connections, so it would otherwise
   * never close.
   */
  async stop(): Promise<void> {
    const app = this.#app;
    if (app === undefined) return;
    this.#app = undefined;
    const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
    // Kept-alive connections may send further calls: each is answered, and the answer ends its connection.
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    const idle = setInterval(() => app.server.closeIdleConnections(), closeIdleMs);
    const limit = setTimeout(() => app.server.closeAllConnections(), stopLimitMs);
    this.#stopping.abort();
    await this.#options.upgrades?.drain();
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
    await app.close();
  }
}
