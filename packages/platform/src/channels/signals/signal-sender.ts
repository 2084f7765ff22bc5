import pg from 'pg';
import type { Logger } from 'pino';
import { hintPayloads, pollHint, type SignalHint } from './hint.ts';

/*
 * "These signals are committed", from whoever wrote them to the api processes. A hint only: api processes poll as well, so
 * a lost one costs its players one poll interval. One connection per process, outside all transactions, because a transaction that
 * notifies takes a lock of the whole server at its commit, and no transaction that writes messages may wait for that
 * (design.md 3).
 */
export const signalChannel = 'croupier_site_signals';

/** Hints closer together than this become one: at most 200 commits a second, and 5 ms of the 150 ms to the screen. */
const coalesceMs = 5;
const reconnectMs = 1_000;
/** Beyond it the hint is to poll: a recall of a whole campaign is one short notification, not 2,000 full ones. */
const maxListed = 5_000;

export class SignalSender {
  readonly #connection: pg.ClientConfig;
  readonly #log: Logger;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #waiting: SignalHint[] = [];
  #tooMany = false;
  #retryAt = 0;
  #stopped = false;

  constructor(options: { connection: pg.ClientConfig; process: string; log: Logger }) {
    this.#connection = { ...options.connection, application_name: `croupier ${options.process} signals` };
    this.#log = options.log;
  }

  /** After the commit of what wrote the signals. Returns at once. */
  poke(signals: readonly SignalHint[]): void {
    if (signals.length === 0 || this.#stopped) return;
    if (this.#waiting.length + signals.length > maxListed) this.#tooMany = true;
    else this.#waiting.push(...signals);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#sending = this.#send().finally(() => {
        this.#timer = undefined;
        if (!this.#stopped && (this.#waiting.length > 0 || this.#tooMany)) this.#schedule();
      });
    }, coalesceMs);
  }

  async #send(): Promise<void> {
    const payloads = this.#tooMany ? [pollHint] : hintPayloads(this.#waiting);
    this.#waiting = [];
    this.#tooMany = false;
    const now = performance.now();
    if (this.#stopped || now < this.#retryAt) return;
    try {
      this.#client ??= await this.#connect();
      await this.#client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
        signalChannel,
        payloads,
      ]);
    } catch (error) {
      this.#log.debug({ err: error }, 'no hint of site signals sent; api processes poll');
      this.#drop(this.#client);
      this.#retryAt = now + reconnectMs;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#connection, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
    client.on('error', () => this.#drop(client));
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

  /** One that broke long after it was replaced must not take the new one with it. */
  #drop(client: pg.Client | undefined): void {
    void client?.end().catch(() => {});
    if (this.#client === client) this.#client = undefined;
  }

  /** After the hint that is under way: it may be opening the connection, which nobody else would close. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sending;
    await this.#client?.end().catch(() => {});
    this.#client = undefined;
  }
}
