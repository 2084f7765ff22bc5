import type { Micros } from '@croupier/contracts';
import type { ClientConfig, Pool } from 'pg';
import type { Logger } from 'pino';
import { BlockReader } from './block-reader.ts';
import {
  beginning,
  boundsOf,
  type CursorGroup,
  forgetClosed,
  groupByPosition,
  isAtLeast,
  isInPacks,
  isPast,
  moveTo,
  type Positions,
  positionsOf,
  toCursor,
  type WriterList,
} from './cursor.ts';
import { PostgresLedgerEraser } from './erase.ts';
import { maskOf } from './filter.ts';
import { PostgresLedgerHistory, type Readers } from './history.ts';
import type {
  Bucket,
  BucketRead,
  Cursor,
  Found,
  HistoryFilter,
  Ledger,
  LedgerEraser,
  LedgerEvent,
  LedgerHistory,
  LedgerPosition,
  LedgerWriter,
  SoughtPosition,
} from './ledger.ts';
import { PackReader } from './pack-reader.ts';
import { slicesBehind } from './pack-store.ts';
import { type Place, parseToken, tokenOf } from './place.ts';
import { blocksAfter, blocksAt, blocksBehind, countDamagedBlocks, writersAbove } from './store.ts';
import { type SearchPage, TimeSearch } from './time-search.ts';
import { PostgresLedgerWriter } from './writer.ts';

/** Maximum number of blocks that are fetched at once from one writer. At full load a block contains 50-250 events, at low load one. */
const maxBlocksPerRead = 500;
/** Maximum packed bytes that are fetched at once from one writer. The first block is fetched even if it is larger. */
const maxBytesPerRead = 16 * 1024 * 1024;
/** How often the list of writers is refreshed, to forget those that are closed and fully read. */
const writersRefreshMs = 10_000;
/** The approximate number of events per page of history. */
const eventsPerPage = 1_000;
const none = { blocks: 0, oldest_received_at: null };
/**
 * A page of the newest events stops searching after this many blocks, even if it is not full. Its token continues the
 * search.
 */
const maxBlocksPerSearch = 4_000;

/** The ledger in PostgreSQL: README.md explains it, and cursor.ts explains why reading has no gaps. */
export class PostgresLedger implements Ledger {
  readonly beginning = beginning;
  readonly days: LedgerHistory;
  readonly eraser: LedgerEraser;
  #pool: Pool;
  #connection: ClientConfig;
  #process: string;
  #now: () => Micros;
  #log: Logger;
  #ready: () => Promise<void>;
  #blocks: BlockReader;
  #packs: PackReader;
  #writers: WriterList = { above: Number.MAX_SAFE_INTEGER, writers: [] };
  #writersAt = Number.NEGATIVE_INFINITY;

  /**
   * @param options.readers if omitted, the ledger does not know who still needs a day, so it neither packs nor drops days
   */
  constructor(options: {
    pool: Pool;
    connection: ClientConfig;
    process: string;
    now: () => Micros;
    log: Logger;
    readers?: Readers | undefined;
    /** Awaited before a writer is opened. Rejects while `now` may be wrong, because a writer never returns to an earlier day. */
    ready: () => Promise<void>;
  }) {
    this.#pool = options.pool;
    this.#connection = options.connection;
    this.#process = options.process;
    this.#now = options.now;
    this.#log = options.log;
    this.#ready = options.ready;
    this.#blocks = new BlockReader(options);
    this.#packs = new PackReader({ pool: this.#pool, blocks: this.#blocks });
    this.days = new PostgresLedgerHistory(options);
    this.eraser = new PostgresLedgerEraser(options.pool);
  }

  async openWriter(): Promise<LedgerWriter> {
    await this.#ready();
    return PostgresLedgerWriter.open({
      connection: this.#connection,
      process: this.#process,
      now: this.#now,
      log: this.#log,
    });
  }

  async read(cursors: ReadonlyMap<Bucket, Cursor>, limit: number): Promise<BucketRead[]> {
    const groups = groupByPosition(cursors);
    const writers = await this.#writersFrom(Math.min(...groups.map((group) => group.positions.floor)));
    const reads: BucketRead[] = [];
    let left = limit;
    const add = (bucket: Bucket, events: LedgerEvent[], positions: Positions) => {
      left -= events.length;
      reads.push({ bucket, events, cursor: toCursor(positions) });
    };
    const addPacks = async (group: CursorGroup) => {
      for (const { bucket, events, positions } of await this.#packs.read(group, Math.max(1, left))) {
        add(bucket, events, forgetClosed(positions, writers));
      }
    };
    // Groups in packed days are read first. Other groups are read only if the limit is not used up. Otherwise one bucket could move ahead
    // through the blocks, and each block would be unpacked once for it and again for the other buckets.
    const inPacks = groups.filter((group) => isInPacks(group.positions, writers));
    for (const group of inPacks) {
      await addPacks(group);
      if (left <= 0) return reads;
    }
    for (const group of groups) {
      if (inPacks.includes(group)) continue;
      const read = await this.#readGroup(group, groups, Math.max(1, left));
      if (read === null) {
        await addPacks(group);
        continue;
      }
      const positions = forgetClosed(read.positions, writers);
      if (positions === group.positions) continue;
      for (const bucket of group.buckets) add(bucket, read.events.get(bucket) ?? [], positions);
    }
    return reads;
  }

  /** @returns null if the group is in packed days */
  async #readGroup(
    group: CursorGroup,
    groups: readonly CursorGroup[],
    limit: number,
  ): Promise<{ positions: Positions; events: Map<Bucket, LedgerEvent[]> } | null> {
    const wanted = new Set(group.buckets);
    const blocks = await blocksAfter(this.#pool, {
      floor: group.positions.floor,
      at: placesOf(group.positions),
      upTo: [...boundsOf(group, groups)].map(([writer_id, seq]) => ({ writer_id, seq })),
      mask: maskOf(group.buckets),
      blocks: maxBlocksPerRead,
      events: limit,
      bytes: maxBytesPerRead,
    });
    if (blocks === null) return null;
    const events = new Map<Bucket, LedgerEvent[]>();
    const taken: typeof blocks = [];
    let count = 0;
    for (const block of inTurns(blocks)) {
      if (count >= limit) break;
      taken.push(block);
      if (block.payload === null) continue;
      for (const event of (await this.#blocks.events({ ...block, payload: block.payload })) ?? []) {
        if (!wanted.has(event.bucket)) continue;
        const list = events.get(event.bucket);
        if (list) list.push(event);
        else events.set(event.bucket, [event]);
        count += 1;
      }
    }
    return { positions: taken.length === 0 ? group.positions : moveTo(group.positions, taken), events };
  }

  async *history(filter: HistoryFilter): AsyncGenerator<LedgerEvent[]> {
    const search = new TimeSearch({ pool: this.#pool, reader: this.#blocks }, { filter, direction: 'oldest' });
    let place: Place | null = null;
    do {
      const page: SearchPage = await search.page(place, eventsPerPage);
      if (page.blocks.length > 0) yield page.blocks.flatMap((block) => block.events);
      place = page.end;
    } while (place !== null);
  }

  async newest(
    filter: HistoryFilter,
    limit: number,
    before?: string,
  ): Promise<{ events: LedgerEvent[]; next: string | null }> {
    const search = new TimeSearch({ pool: this.#pool, reader: this.#blocks }, { filter, direction: 'newest' });
    const start = before === undefined ? null : parseToken(before);
    const events: LedgerEvent[] = [];
    // The page may end within a block. Then that block is read again, up to the event that was returned last.
    let place: Place | null = start !== null && start.index > 0 ? { ...start, seq: start.seq + 1 } : start;
    for (let looked = 0; looked < maxBlocksPerSearch; ) {
      const page = await search.page(place, limit - events.length);
      for (const block of page.blocks) {
        const resumed = start !== null && start.writer_id === block.writer_id && start.seq === block.seq;
        for (const event of block.events.toReversed()) {
          if (resumed && event.position.index >= start.index) continue;
          events.push(event);
          const { received_at, writer_id, seq } = block;
          if (events.length === limit)
            return { events, next: tokenOf({ received_at, writer_id, seq, index: event.position.index }) };
        }
      }
      if (page.end === null) return { events, next: null };
      place = page.end;
      looked += page.looked;
    }
    return { events, next: place === null ? null : tokenOf({ ...place, index: 0 }) };
  }

  async at(positions: readonly SoughtPosition[]): Promise<LedgerEvent[]> {
    return (await this.find(positions)).events;
  }

  async find(positions: readonly SoughtPosition[]): Promise<Found> {
    const found = new Map<string, LedgerEvent>();
    const damaged = new Set<string>();
    const places = new Map(positions.map((p) => [blockKey(p), p]));
    for (const block of await blocksAt(this.#pool, [...places.values()])) {
      const events = await this.#blocks.events(block);
      if (events === null) damaged.add(blockKey(block));
      for (const event of events ?? []) found.set(positionKey(event.position), event);
    }
    // Packs are searched after blocks, so a block that is packed in between is found in its pack.
    const missing = positions.filter((position) => !found.has(positionKey(position)));
    const packed = missing.length === 0 ? { events: [], damaged: [] } : await this.#packs.at(missing);
    for (const event of packed.events) found.set(positionKey(event.position), event);
    const unreadable = new Set(packed.damaged.map(positionKey));
    const isDamaged = (position: SoughtPosition) =>
      !found.has(positionKey(position)) && (damaged.has(blockKey(position)) || unreadable.has(positionKey(position)));
    return {
      events: positions.flatMap((position) => found.get(positionKey(position)) ?? []),
      damaged: positions.filter(isDamaged),
    };
  }

  covers(cursor: Cursor, { writer_id, seq }: LedgerPosition): boolean {
    return isPast(positionsOf(cursor), writer_id, seq);
  }

  reaches(cursor: Cursor, other: Cursor): boolean {
    return isAtLeast(positionsOf(cursor), positionsOf(other));
  }

  async lag(cursors: ReadonlyMap<Bucket, Cursor>): Promise<{ blocks: number; oldest_received_at: Micros | null }> {
    let blocks = 0;
    let oldest: Micros | null = null;
    for (const { positions, buckets } of groupByPosition(cursors)) {
      const behind = await blocksBehind(this.#pool, {
        floor: positions.floor,
        at: placesOf(positions),
        mask: maskOf(buckets),
        limit: maxBlocksPerSearch,
      });
      const packed = behind.packed
        ? await slicesBehind(this.#pool, {
            slice_id: positions.slice ?? 0,
            floor: positions.floor,
            at: placesOf(positions),
            buckets,
          })
        : none;
      blocks = Math.max(blocks, behind.blocks + packed.blocks);
      for (const { oldest_received_at } of [behind, packed]) {
        if (oldest_received_at !== null) oldest = Math.min(oldest ?? Number.MAX_SAFE_INTEGER, oldest_received_at);
      }
    }
    return { blocks, oldest_received_at: oldest };
  }

  damagedBlocks(): Promise<number> {
    return countDamagedBlocks(this.#pool);
  }

  /** Refreshes the list if it is old, or if a bucket has joined whose floor is below the beginning of the list. */
  async #writersFrom(floor: number): Promise<WriterList> {
    const now = performance.now();
    if (floor < this.#writers.above || now - this.#writersAt >= writersRefreshMs) {
      this.#writers = { above: floor, writers: await writersAbove(this.#pool, floor) };
      this.#writersAt = now;
    }
    return this.#writers;
  }
}

/**
 * Takes one block of each writer in turn, so that a writer with a backlog does not delay the others. The blocks of one
 * writer stay in the order of their numbers.
 */
function inTurns<B extends { writer_id: number; seq: number }>(blocks: readonly B[]): B[] {
  const first = new Map<number, number>();
  for (const { writer_id, seq } of blocks) if (!first.has(writer_id)) first.set(writer_id, seq);
  if (first.size <= 1) return [...blocks];
  const turn = (block: B) => block.seq - (first.get(block.writer_id) ?? 0);
  return [...blocks].sort((a, b) => turn(a) - turn(b));
}

function placesOf(positions: Positions): { writer_id: number; day: string; seq: number }[] {
  return Object.entries(positions.at).map(([id, [day, seq]]) => ({ writer_id: Number(id), day, seq }));
}

function blockKey({ writer_id, seq }: Pick<LedgerPosition, 'writer_id' | 'seq'>): string {
  return `${writer_id}:${seq}`;
}

function positionKey({ writer_id, seq, index }: LedgerPosition): string {
  return `${writer_id}:${seq}:${index}`;
}
