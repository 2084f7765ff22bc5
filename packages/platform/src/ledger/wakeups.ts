import pg from 'pg';
import type { Logger } from 'pino';

/*
 * "There is something new in the ledger", from api processes to workers. A hint only: workers poll as well, so a lost
 * one costs them one poll interval. It has connections of its own, because a transaction that notifies takes a lock of
 * the whole server at its commit, and no ingest or derive transaction may wait for that (design.md 3).
 */

const channel = 'croupier_ledger';
/** Hints closer together than this become one: at most 100 a second from each api process. */
const coalesceMs = 10;
const reconnectMs = 1_000;

/** The side of the api process: `poke()` after each commit. */
export class LedgerWakeupSender {
  #connection: pg.ClientConfig;
  #log: Logger;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = 0;
  #retryAt = 0;
  #stopped = false;

  constructor(options: { connection: pg.ClientConfig; process: string; log: Logger }) {
    this.#connection = { ...options.connection, application_name: `croupier ${options.process} wakeups` };
    this.#log = options.log;
  }

  poke(): void {
    if (this.#timer || this.#stopped) return;
    const wait = Math.max(0, this.#lastAt + coalesceMs - performance.now());
    this.#timer = setTimeout(() => {
      void this.#send().finally(() => {
        this.#timer = undefined;
      });
    }, wait);
  }

  async #send(): Promise<void> {
    this.#lastAt = performance.now();
    if (this.#lastAt < this.#retryAt) return;
    try {
      this.#client ??= await this.#connect();
      await this.#client.query(`notify ${channel}`);
    } catch (error) {
      this.#log.debug({ err: error }, 'no wake-up sent; workers poll');
      this.#drop();
      this.#retryAt = this.#lastAt + reconnectMs;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#connection, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
    client.on('error', () => this.#drop());
    try {
      await client.connect();
      // Nothing durable is at stake: this commit need not wait for the disk.
      await client.query('set synchronous_commit = off');
      return client;
    } catch (error) {
      // Nobody holds this one yet: without its end here, an outage would leave one behind every second.
      void client.end().catch(() => {});
      throw error;
    }
  }

  #drop(): void {
    void this.#client?.end().catch(() => {});
    this.#client = undefined;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }
}

/** The side of the worker: calls `onWakeup` for every hint, and reconnects by itself. */
export class LedgerWakeupListener {
  #connection: pg.ClientConfig;
  #log: Logger;
  #onWakeup: () => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: { connection: pg.ClientConfig; process: string; log: Logger; onWakeup: () => void }) {
    this.#connection = {
      ...options.connection,
      application_name: `croupier ${options.process} wakeups`,
      keepAlive: true,
    };
    this.#log = options.log;
    this.#onWakeup = options.onWakeup;
  }

  async start(): Promise<void> {
    await this.#connect();
  }

  async #connect(): Promise<void> {
    if (this.#stopped) return;
    const client = new pg.Client({ ...this.#connection, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    client.on('end', () => this.#reconnectLater());
    client.on('notification', this.#onWakeup);
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      this.#onWakeup();
    } catch (error) {
      this.#log.debug({ err: error }, 'no wake-ups for now; polling goes on');
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
