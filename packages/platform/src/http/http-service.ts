import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.ts';
import type { Upgrades } from './upgrades.ts';

/**
 * Calls that are still not answered by then are cut. Most of them are requests that never arrive whole; a commit takes
 * milliseconds, and the process has 10 s in all (docs/reference/design.md 6).
 */
const stopLimitMs = 3_000;
/** How soon a connection is closed that was answering when the stop began. */
const closeIdleMs = 25;

export interface HttpServiceOptions {
  port: number;
  host: string | undefined;
  build: () => Promise<FastifyInstance>;
  /** The same that the server was built with: drained when it stops. */
  upgrades?: Upgrades;
}

/** Listens on the port; several api processes share it, each with its own socket (SO_REUSEPORT). */
export class HttpService implements Service {
  readonly #options: HttpServiceOptions;
  #app: FastifyInstance | undefined;

  constructor(options: HttpServiceOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { port, host, build } = this.#options;
    const app = await build();
    await app.ready();
    // Not app.listen: without a host it would listen on localhost only, and it passes `reusePort` on on no platform.
    await new Promise<void>((resolve, reject) => {
      app.server.once('error', reject);
      app.server.listen({ port, host, reusePort: process.platform === 'linux' }, () => {
        app.server.off('error', reject);
        resolve();
      });
    });
    this.#app = app;
  }

  /** The port listened on, for those who asked for any. */
  get port(): number {
    const address = this.#app?.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
    return address.port;
  }

  /**
   * Takes no more connections, answers what is under way, closes the idle ones. The server is closed first and by hand:
   * Fastify closes only a server that it listened with itself. Sockets are ended after the port is closed, so that whoever
   * comes back at once reaches another process; the server counts them as connections, so without that it would never be closed.
   */
  async stop(): Promise<void> {
    const app = this.#app;
    if (app === undefined) return;
    this.#app = undefined;
    const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
    // Kept connections may bring further calls: each is answered, and its connection ends with the answer.
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    const idle = setInterval(() => app.server.closeIdleConnections(), closeIdleMs);
    const limit = setTimeout(() => app.server.closeAllConnections(), stopLimitMs);
    await this.#options.upgrades?.drain();
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
    await app.close();
  }
}
