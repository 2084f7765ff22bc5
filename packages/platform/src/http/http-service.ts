import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.ts';

/** Listens on the port; several api processes share it, each with its own socket (SO_REUSEPORT). */
export class HttpService implements Service {
  #options: { port: number; host: string | undefined; build: () => Promise<FastifyInstance> };
  #app: FastifyInstance | undefined;

  constructor(options: { port: number; host: string | undefined; build: () => Promise<FastifyInstance> }) {
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

  /** Answers what is under way, closes idle connections, and takes no more. */
  async stop(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }
}
