import pg from 'pg';
import type { Logger } from 'pino';
import type { Service } from '../service.ts';

/*
 * Hints between processes over PostgreSQL's NOTIFY: "there is something new". They are only hints: listeners also poll,
 * so a lost hint costs one poll interval. Each side has a separate connection, outside all transactions. A transaction
 * that notifies takes a server-wide lock at its commit, and no transaction with other work may wait for this lock
 * (docs/reference/design.md 3).
 */
const reconnectMs = 1_000;
const connectLimitMs = 2_000;
const queryLimitMs = 2_000;

interface HintOptions {
  connection: pg.ClientConfig;
  /** The name in the server's list of connections. */
  name: string;
  /** The NOTIFY channel: a plain lower-case word, which needs no quotes. */
  channel: string;
  log: Logger;
}

/** The sending side. It connects when there is something to send; after a failure it waits one second. */
export class HintSender {
  readonly #options: HintOptions;
  #client: pg.Client | undefined;
  #sending: Promise<void> = Promise.resolve();
  #retryAt = 0;
  #stopped = false;

  constructor(options: HintOptions) {
    this.#options = options;
  }

  /** Sends one hint per payload. Never throws: a hint that cannot be sent is dropped. One call at a time. */
  send(payloads: readonly string[]): Promise<void> {
    this.#sending = this.#send(payloads);
    return this.#sending;
  }

  async #send(payloads: readonly string[]): Promise<void> {
    const now = performance.now();
    if (this.#stopped || now < this.#retryAt) return;
    const { channel, log } = this.#options;
    try {
      this.#client ??= await this.#connect();
      await this.#client.query({
        name: 'notify',
        text: 'select pg_notify($1, payload) from unnest($2::text[]) as payload',
        values: [channel, payloads],
      });
    } catch (error) {
      log.debug({ err: error, channel }, 'a wake-up could not be sent; listeners poll instead');
      this.#drop(this.#client);
      this.#retryAt = now + reconnectMs;
    }
  }

  async #connect(): Promise<pg.Client> {
    const { connection, name } = this.#options;
    const client = new pg.Client({
      ...connection,
      application_name: name,
      connectionTimeoutMillis: connectLimitMs,
      query_timeout: queryLimitMs,
    });
    client.on('error', () => this.#drop(client));
    try {
      await client.connect();
      // Hints need not be durable, so this commit need not wait for the disk.
      await client.query('set synchronous_commit = off');
      return client;
    } catch (error) {
      // No other code has this client yet, so it is ended here. Otherwise an outage would leave one more open connection every second.
      void client.end().catch(() => {});
      throw error;
    }
  }

  /** A client that broke long after it was replaced must not close the new one. */
  #drop(client: pg.Client | undefined): void {
    void client?.end().catch(() => {});
    if (this.#client === client) this.#client = undefined;
  }

  /** Waits for the current hint, because it may be opening the connection, which no other code would close. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sending;
    await this.#client?.end().catch(() => {});
    this.#client = undefined;
  }
}

/**
 * The receiving side. It reconnects automatically.
 *
 * `onHint(null)` means that hints may have been lost, so the caller must check for news. It is called after each connect,
 * because hints that are sent while the listener is not connected are lost.
 */
export class HintListener implements Service {
  readonly #options: HintOptions & { onHint: (payload: string | null) => void };
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: HintOptions & { onHint: (payload: string | null) => void }) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#connect();
  }

  async #connect(): Promise<void> {
    if (this.#stopped) return;
    const { connection, name, channel, log, onHint } = this.#options;
    const client = new pg.Client({
      ...connection,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: connectLimitMs,
      query_timeout: queryLimitMs,
    });
    client.on('error', () => {});
    client.on('end', () => this.#reconnectLater());
    client.on('notification', ({ payload }) => onHint(payload ?? ''));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onHint(null);
    } catch (error) {
      log.debug({ err: error, channel }, 'wake-ups are not received at the moment; polling continues');
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
