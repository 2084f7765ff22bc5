import pg from 'pg';
import type { Logger } from 'pino';
import type { Service } from '../../service.ts';
import { readHints, type SignalHint } from './hint.ts';
import { signalChannel } from './signal-sender.ts';

const reconnectMs = 1_000;

/**
 * Hears the hints of all `SignalSender`s, over a connection of its own that comes back by itself.
 *
 * `onHints(null)` means: look for yourself. It is called so after each connect, because hints sent meanwhile are lost.
 */
export class SignalListener implements Service {
  readonly #connection: pg.ClientConfig;
  readonly #log: Logger;
  readonly #onHints: (hints: readonly SignalHint[] | null) => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: {
    connection: pg.ClientConfig;
    process: string;
    log: Logger;
    onHints: (hints: readonly SignalHint[] | null) => void;
  }) {
    this.#connection = {
      ...options.connection,
      application_name: `croupier ${options.process} signals heard`,
      keepAlive: true,
    };
    this.#log = options.log;
    this.#onHints = options.onHints;
  }

  async start(): Promise<void> {
    await this.#connect();
  }

  async #connect(): Promise<void> {
    if (this.#stopped) return;
    const client = new pg.Client({ ...this.#connection, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    client.on('end', () => this.#reconnectLater());
    client.on('notification', ({ payload }) => this.#onHints(readHints(payload ?? '')));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${signalChannel}`);
      this.#onHints(null);
    } catch (error) {
      this.#log.debug({ err: error }, 'no hints of site signals for now; polling goes on');
      void client.end().catch(() => {});
      this.#reconnectLater();
    }
  }

  #reconnectLater(): void {
    if (this.#stopped || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#connect();
    }, reconnectMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }
}
