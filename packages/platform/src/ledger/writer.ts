import type { Micros } from '@croupier/contracts';
import pg from 'pg';
import type { Logger } from 'pino';
import { encodeBlock, frameBytes } from './block.ts';
import { dayOf } from './day.ts';
import type { Day, LedgerEntry, LedgerWriter } from './ledger.ts';
import { pendingProtectionOf } from './pending-protection.ts';
import { bucketOf } from './player-hash.ts';
import { ensurePartition, insertBlock, isWithoutPartition, openWriter } from './store.ts';

/** A block is one row and one fsync; larger appends become several blocks. */
const maxEventsPerBlock = 2_000;
const maxBytesPerBlock = 4 * 1024 * 1024;
/**
 * A commit takes 1-3 ms. A database that takes longer than this counts as unavailable: callers answer 503, and the
 * operator retries.
 */
const appendTimeoutMs = 5_000;
/** An unreachable address must not delay the start of a process, nor the recovery after an outage. */
const connectTimeoutMs = 2_000;

/**
 * One committing connection is one writer. It numbers its blocks itself and runs one statement at a time, so its blocks
 * commit in the order of their numbers. The whole ledger depends on this property (docs/reference/design.md 2.4).
 *
 * After any failure the outcome of the last append is unknown, and the connection is never used again; to continue, open a new
 * writer. Events that were committed despite the error exist twice after the operator's retry, and derive removes the
 * duplicate (docs/reference/decisions.md 2.2).
 */
export class PostgresLedgerWriter implements LedgerWriter {
  #client: pg.Client;
  #writerId: number;
  #now: () => Micros;
  #seq = 0;
  #day = '';
  #broken: Error | undefined;

  private constructor(client: pg.Client, writerId: number, now: () => Micros) {
    this.#client = client;
    this.#writerId = writerId;
    this.#now = now;
  }

  static async open(options: {
    connection: pg.ClientConfig;
    process: string;
    now: () => Micros;
    log: Logger;
  }): Promise<PostgresLedgerWriter> {
    const client = new pg.Client({
      ...options.connection,
      application_name: `croupier ${options.process} ledger`,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: appendTimeoutMs,
      statement_timeout: appendTimeoutMs,
      // Otherwise a process that is suspended while it registers would block the registration of others.
      idle_in_transaction_session_timeout: appendTimeoutMs,
      keepAlive: true,
    });
    let writer: PostgresLedgerWriter | undefined;
    client.on('error', (error) => {
      options.log.warn({ err: error }, 'the connection of the ledger writer was lost');
      if (writer) writer.#broken ??= error;
    });
    try {
      await client.connect();
      // 200 means durable (docs/reference/design.md 2.1): this connection waits for the disk, regardless of the
      // server's default.
      await client.query(
        `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')`,
      );
      writer = new PostgresLedgerWriter(client, await openWriter(client, options.process), options.now);
      return writer;
    } catch (error) {
      // Not awaited, because a server that does not answer must not delay the error that reports it.
      void client.end().catch(() => {});
      throw error;
    }
  }

  /** @throws {LedgerUnavailable} if the outcome is unknown; then this writer can no longer be used */
  async append(entries: readonly LedgerEntry[]): Promise<void> {
    if (this.#broken) throw new LedgerUnavailable(this.#broken);
    try {
      for (const block of inBlocks(entries)) await this.#appendBlock(block);
    } catch (error) {
      this.#broken = error instanceof Error ? error : new Error(String(error));
      void this.#client.end().catch(() => {});
      throw new LedgerUnavailable(this.#broken);
    }
  }

  async #appendBlock(entries: readonly LedgerEntry[]): Promise<void> {
    const day = this.#today();
    if (day !== this.#day) {
      await ensurePartition(this.#client, day);
      this.#day = day;
    }
    let mask = 0n;
    let receivedAt = 0;
    const brandIds = new Set<number>();
    for (const entry of entries) {
      mask |= 1n << BigInt(bucketOf(entry.player_hash));
      brandIds.add(entry.brand_id);
      if (entry.received_at > receivedAt) receivedAt = entry.received_at;
    }
    const block = {
      writer_id: this.#writerId,
      seq: this.#seq + 1,
      day,
      received_at: receivedAt,
      event_count: entries.length,
      bucket_mask: BigInt.asIntN(64, mask),
      brand_ids: [...brandIds],
      payload: encodeBlock(entries),
    };
    const pending = pendingProtectionOf(entries);
    try {
      await insertBlock(this.#client, block, pending);
    } catch (error) {
      if (!isWithoutPartition(error)) throw error;
      // A late writer's day was packed and its partition dropped. The block was refused, so it is not stored twice.
      await ensurePartition(this.#client, day);
      await insertBlock(this.#client, block, pending);
    }
    this.#seq += 1;
  }

  /** Never decreases, even if the clock steps back, because readers continue from their current partition. */
  #today(): Day {
    const today = dayOf(this.#now());
    if (today < this.#day) return this.#day;
    return today;
  }

  async close(): Promise<void> {
    this.#broken ??= new Error('the writer was closed');
    await this.#client.end();
  }
}

/** The database did not confirm: the events may or may not be stored. */
export class LedgerUnavailable extends Error {
  override name = 'LedgerUnavailable';
  constructor(cause: Error) {
    super(`the ledger is unavailable: ${cause.message}`, { cause });
  }
}

function* inBlocks(entries: readonly LedgerEntry[]): Generator<readonly LedgerEntry[]> {
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as LedgerEntry;
    const size = frameBytes(entry);
    if (i > from && (i - from === maxEventsPerBlock || bytes + size > maxBytesPerBlock)) {
      yield entries.slice(from, i);
      from = i;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < entries.length) yield from === 0 ? entries : entries.slice(from);
}
