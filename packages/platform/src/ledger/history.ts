import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { BlockReader } from './block-reader.ts';
import { beginning, isPast, positionsOf } from './cursor.ts';
import { dayAfter, startOfDay } from './day.ts';
import * as store from './history-store.ts';
import {
  type Bucket,
  bucketCount,
  type Cursor,
  type Day,
  type DayRefusal,
  type DropOutcome,
  type LedgerDay,
  type LedgerEvent,
  type LedgerHistory,
  type PackOutcome,
} from './ledger.ts';
import { encodePack, type PackedEvent } from './pack.ts';
import { PackReader } from './pack-reader.ts';
import { asPacker } from './packer.ts';
import { inSlices, mergeBlocks, type Sized } from './slice-plan.ts';
import type { BlockRow } from './store.ts';

/*
 * The life of a day.
 *
 *            an hour after midnight     pack: slice by slice      drop
 *     open --------------------------> closed ---------------> packed -----> gone
 *                                        ^ |                     |            |
 *                                        | +-- drop ---------------------> gone
 *                                        +---- a late writer adds a block ---+
 *
 * Each slice is one transaction: it writes the packs and raises `packed_seq` of the writers whose blocks it took. That
 * number alone decides in which form a block is read. So every event is always in exactly one form, whatever crashes.
 * The rows of the blocks are deleted later, with their partition.
 *
 * It is impossible to know that no writer will add to a day that is over: a writer's clock may be slow, or the writer
 * may have been suspended during its insert. So nothing depends on this. A block added to a packed day has a number above its
 * writer's `packed_seq`, is read as a block, and is packed when the day is packed again. Its partition is created again
 * if it was dropped (docs/decisions/0210).
 */

/**
 * How long a day counts as open after its end. It allows for clock differences between api processes and for late
 * blocks.
 */
const marginMs = 3_600_000;
/** Maximum number of blocks of one writer that packing, or reading a day, fetches and holds at once. */
const fetched = { blocks: 500, bytes: 2 * 1024 * 1024 };
/** Events per page of a day. */
const eventsPerPage = 2_000;

/** How far each bucket has been read, as its reader stored it. A missing bucket is at the beginning. */
export type Readers = () => Promise<ReadonlyMap<Bucket, Cursor>>;

interface DecodedBlock extends Sized {
  row: BlockRow;
  received_at: Micros;
  /** Null if it cannot be read. */
  events: LedgerEvent[] | null;
}

export class PostgresLedgerHistory implements LedgerHistory {
  readonly #pool: Pool;
  readonly #now: () => Micros;
  readonly #log: Logger;
  readonly #blocks: BlockReader;
  readonly #packs: PackReader;
  readonly #readers: Readers;

  /**
   * @param options.readers if omitted, the ledger does not know who still needs a day, so it neither packs nor drops days
   */
  constructor(options: { pool: Pool; now: () => Micros; log: Logger; readers?: Readers | undefined }) {
    this.#pool = options.pool;
    this.#now = options.now;
    this.#log = options.log;
    this.#readers = options.readers ?? (async () => new Map());
    this.#blocks = new BlockReader(options);
    this.#packs = new PackReader({ pool: options.pool, blocks: this.#blocks });
  }

  async days(): Promise<LedgerDay[]> {
    const days = new Map<Day, LedgerDay>();
    for (const { day, events, bytes } of await store.packedDays(this.#pool)) {
      days.set(day, { day, state: 'packed', events, bytes });
    }
    for (const { day, bytes } of await store.partitions(this.#pool)) {
      const state = this.#isOver(day) ? 'closed' : 'open';
      days.set(day, { day, state, events: null, bytes: bytes + (days.get(day)?.bytes ?? 0) });
    }
    return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  async pack(day: Day, signal?: AbortSignal, pause?: () => Promise<void>): Promise<PackOutcome> {
    if (!this.#isOver(day)) return refused('open');
    return this.#asPacker(async (client) => {
      const { stretches, refusal } = await this.#ready(client, day);
      if (refusal !== undefined) return refused(refusal);
      const blocks = mergeBlocks(stretches.map((stretch) => this.#decoded(day, stretch)));
      for await (const slice of inSlices(blocks)) {
        signal?.throwIfAborted();
        if (!(await this.#packSlice(client, day, slice))) return refused('busy');
        await pause?.();
      }
      if (!(await inTransaction(client, () => store.dropPartition(client, day)))) return refused('busy');
      const [packed] = await store.packedDays(client, day);
      const { events = 0, bytes = 0, set_aside = 0 } = packed ?? {};
      if (stretches.length > 0)
        this.#log.info({ day, events, bytes, unreadable_blocks: set_aside }, 'a day of the ledger is packed');
      return { outcome: 'packed', events, bytes, unreadable_blocks: set_aside };
    });
  }

  async *readDay(day: Day): AsyncGenerator<LedgerEvent[]> {
    await using _ = await this.hold();
    for (const { slice_id, set_aside } of await store.slicesOfDay(this.#pool, day)) {
      for (let pack = await store.nextPack(this.#pool, slice_id, -1); pack !== undefined; ) {
        yield* inPages(await this.#packs.events(pack));
        pack = await store.nextPack(this.#pool, slice_id, pack.bucket);
      }
      if (set_aside > 0) yield* inPages(await this.#packs.setAside(slice_id));
    }
    for (const stretch of await store.unpackedOf(this.#pool, day)) {
      for await (const { events } of this.#decoded(day, stretch)) if (events?.length) yield events;
    }
  }

  async drop(day: Day, options: { before: Day; events?: number }): Promise<DropOutcome> {
    if (startOfDay(day) >= startOfDay(options.before)) return refused('too_young');
    if (!this.#isOver(day)) return refused('open');
    return this.#asPacker(async (client) => {
      const { stretches, refusal } = await this.#ready(client, day);
      if (refusal !== undefined) return refused(refusal);
      const drop = () => this.#dropDay(client, day, stretches, options.events);
      const dropped = await inTransaction(client, drop).catch(refusalOf);
      if (dropped.outcome === 'dropped') {
        const { events, unreadable_blocks } = dropped;
        this.#log.info({ day, events, unreadable_blocks }, 'a day of the ledger is dropped');
      }
      return dropped;
    });
  }

  /** @throws {DropRefused} the transaction must not be committed */
  async #dropDay(
    tx: PoolClient,
    day: Day,
    stretches: readonly store.Stretch[],
    expected?: number,
  ): Promise<DropOutcome> {
    await tx.query('set local statement_timeout = 0');
    if (!(await store.shutOutReaders(tx))) throw new DropRefused('busy');
    const unpacked = {
      events: await store.countEvents(tx, day, stretches),
      damaged: await store.deleteDamage(tx, stretches),
    };
    const ends = stretches.map(({ writer_id, last }) => ({ writer_id, last_seq: last }));
    await store.markPacked(tx, day, ends);
    const packed = await store.deleteSlices(tx, day);
    const events = unpacked.events + packed.events;
    if (expected !== undefined && expected < events) throw new DropRefused('grown');
    // This is done last, because all users of the ledger wait from here until the commit.
    if (!(await store.dropPartition(tx, day))) throw new DropRefused('busy');
    const unreadable_blocks = unpacked.damaged + packed.damaged;
    return { outcome: 'dropped', events, unreadable_blocks };
  }

  async hold(): Promise<AsyncDisposable> {
    const client = await this.#pool.connect();
    try {
      await store.holdHistory(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    return {
      [Symbol.asyncDispose]: async () => {
        // If the release fails, the connection is closed. That also releases the lock.
        const gone = await store.releaseHistory(client).then(
          () => false,
          () => true,
        );
        client.release(gone);
      },
    };
  }

  #isOver(day: Day): boolean {
    return startOfDay(dayAfter(day)) + marginMs * 1000 <= this.#now();
  }

  /** The blocks of the day to process, or the reason for a refusal. */
  async #ready(
    client: PoolClient,
    day: Day,
  ): Promise<{ stretches: store.Stretch[]; refusal?: 'earlier_day' | 'not_derived' }> {
    const stretches = await store.unpackedOf(client, day);
    if (stretches.length === 0) return { stretches };
    if (await store.hasUnpackedBefore(client, day)) return { stretches, refusal: 'earlier_day' };
    const cursors = await this.#readers();
    const behind = Array.from({ length: bucketCount }, (_, bucket) =>
      positionsOf(cursors.get(bucket) ?? beginning),
    ).some((positions) => stretches.some(({ writer_id, last }) => !isPast(positions, writer_id, last)));
    return behind ? { stretches, refusal: 'not_derived' } : { stretches };
  }

  async #asPacker<T>(work: (client: PoolClient) => Promise<T>): Promise<T | { outcome: 'refused'; reason: 'busy' }> {
    const result = await asPacker(this.#pool, work);
    return result === 'busy' ? refused('busy') : result;
  }

  async *#decoded(day: Day, stretch: store.Stretch): AsyncGenerator<DecodedBlock, void> {
    let { after } = stretch;
    for (;;) {
      const rows = await store.blocksOfStretch(this.#pool, day, { ...stretch, after }, fetched);
      for (const row of rows) {
        const events = await this.#blocks.events(row);
        const bytes = events?.reduce((sum, event) => sum + event.body.length, 0) ?? row.payload.length;
        yield { row, received_at: row.received_at, events, event_count: row.event_count, bytes };
        after = row.seq;
      }
      if (rows.length === 0) return;
    }
  }

  /** False if a long reader holds the history; then nothing has changed. */
  async #packSlice(client: PoolClient, day: Day, blocks: readonly DecodedBlock[]): Promise<boolean> {
    const packs = await packsOf(blocks);
    const times = blocks.map((block) => block.received_at);
    const slice = {
      day,
      from_at: times.reduce((a, b) => Math.min(a, b)),
      to_at: times.reduce((a, b) => Math.max(a, b)),
      event_count: packs.reduce((sum, pack) => sum + pack.event_count, 0),
      taken: takenOf(blocks),
      packs,
      set_aside: blocks.flatMap(({ row, events }) => (events === null ? [row] : [])),
    };
    return inTransaction(client, async () => {
      if (!(await store.shutOutReaders(client))) return false;
      await store.insertSlice(client, slice);
      return true;
    });
  }
}

async function packsOf(blocks: readonly DecodedBlock[]) {
  const buckets = new Map<number, PackedEvent[]>();
  for (const { row, events } of blocks) {
    for (const event of events ?? []) {
      const packed = Object.assign(event, { block_at: row.received_at });
      const list = buckets.get(event.bucket);
      if (list) list.push(packed);
      else buckets.set(event.bucket, [packed]);
    }
  }
  const packs = [];
  // One after the other, because compressing takes a core, and packing is not urgent.
  for (const [bucket, events] of buckets) {
    packs.push({ bucket, event_count: events.length, ...(await encodePack(events)) });
  }
  return packs;
}

/** The first and last number of each writer's blocks, which come in order. */
function takenOf(blocks: readonly DecodedBlock[]) {
  const taken = new Map<number, { writer_id: number; first_seq: number; last_seq: number }>();
  for (const { writer_id, seq } of blocks.map((block) => block.row)) {
    taken.set(writer_id, { writer_id, first_seq: taken.get(writer_id)?.first_seq ?? seq, last_seq: seq });
  }
  return [...taken.values()];
}

function* inPages(events: readonly PackedEvent[]): Generator<LedgerEvent[]> {
  for (let at = 0; at < events.length; at += eventsPerPage) {
    yield events.slice(at, at + eventsPerPage).map(({ block_at: _, ...event }) => event);
  }
}

async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

function refused<R extends DayRefusal>(reason: R): { outcome: 'refused'; reason: R } {
  return { outcome: 'refused', reason };
}

/** The transaction of the drop must be rolled back, for the given reason. */
class DropRefused extends Error {
  override name = 'DropRefused';
  readonly reason: 'busy' | 'grown';
  constructor(reason: 'busy' | 'grown') {
    super(`the day stays: ${reason}`);
    this.reason = reason;
  }
}

function refusalOf(error: unknown): DropOutcome {
  if (error instanceof DropRefused) return refused(error.reason);
  throw error;
}
