import type { Micros } from '@croupier/contracts';
import type { ClientConfig, Pool } from 'pg';
import type { Logger } from 'pino';
import { CorruptBlock, decodeBlock } from './block.ts';
import {
  beginning,
  boundsOf,
  type CursorGroup,
  forgetClosed,
  groupByPosition,
  isAtLeast,
  isPast,
  moveTo,
  type Positions,
  positionsOf,
  toCursor,
  type WriterList,
} from './cursor.ts';
import {
  type Bucket,
  type BucketRead,
  bucketCount,
  type Cursor,
  type HistoryFilter,
  type Ledger,
  type LedgerEvent,
  type LedgerPosition,
  type LedgerWriter,
} from './ledger.ts';
import { bucketOf } from './player-hash.ts';
import {
  type BlockRow,
  blocksAfter,
  blocksAt,
  blocksBehind,
  blocksByTime,
  noteDamagedBlock,
  writersAbove,
} from './store.ts';
import { PostgresLedgerWriter } from './writer.ts';

/** Blocks fetched of one writer in one go. At full load a block holds 50-250 events, at low load one. */
const maxBlocksPerRead = 500;
/** Packed bytes fetched of one writer in one go; the first block comes whatever its size. */
const maxBytesPerRead = 16 * 1024 * 1024;
/** How often the list of writers is asked for, to forget those that are closed and read. */
const writersRefreshMs = 10_000;
/** Blocks that one page of history or of the newest events looks at: about 1 MB packed. */
const blocksPerPage = 200;
/** A page of the newest events stops looking after this many blocks, even if it is not full; its token goes on. */
const maxBlocksPerSearch = 4_000;

/**
 * The ledger in PostgreSQL: see README.md for its story, cursor.ts for what makes reading free of gaps.
 */
export class PostgresLedger implements Ledger {
  readonly beginning = beginning;
  #pool: Pool;
  #connection: ClientConfig;
  #process: string;
  #now: () => Micros;
  #log: Logger;
  #writers: WriterList = { above: Number.MAX_SAFE_INTEGER, writers: [] };
  #writersAt = Number.NEGATIVE_INFINITY;

  constructor(options: { pool: Pool; connection: ClientConfig; process: string; now: () => Micros; log: Logger }) {
    this.#pool = options.pool;
    this.#connection = options.connection;
    this.#process = options.process;
    this.#now = options.now;
    this.#log = options.log;
  }

  openWriter(): Promise<LedgerWriter> {
    return PostgresLedgerWriter.open({
      connection: this.#connection,
      process: this.#process,
      now: this.#now,
      log: this.#log,
    });
  }

  async read(cursors: ReadonlyMap<Bucket, Cursor>, limit: number): Promise<BucketRead[]> {
    const groups = groupByPosition(cursors);
    await this.#refreshWriters(groups);
    const reads: BucketRead[] = [];
    let left = limit;
    for (const group of groups) {
      const { positions, events } = await this.#readGroup(group, groups, Math.max(1, left));
      const compact = forgetClosed(positions, this.#writers);
      if (compact === group.positions) continue;
      for (const bucket of group.buckets) {
        const own = events.get(bucket) ?? [];
        left -= own.length;
        reads.push({ bucket, events: own, cursor: toCursor(compact) });
      }
    }
    return reads;
  }

  async #readGroup(
    group: CursorGroup,
    groups: readonly CursorGroup[],
    limit: number,
  ): Promise<{ positions: Positions; events: Map<Bucket, LedgerEvent[]> }> {
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
    const events = new Map<Bucket, LedgerEvent[]>();
    const taken: typeof blocks = [];
    let count = 0;
    for (const block of inTurns(blocks)) {
      if (count >= limit) break;
      taken.push(block);
      if (block.payload === null) continue;
      for (const event of await this.#unpack({ ...block, payload: block.payload })) {
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
    let after: BlockRow | null = null;
    for (;;) {
      const blocks: BlockRow[] = await this.#blocksByTime(filter, 'oldest', after);
      for (const block of blocks) {
        const events = (await this.#unpack(block)).filter((event) => matches(event, filter));
        if (events.length > 0) yield events;
      }
      after = blocks.at(-1) ?? null;
      if (after === null) return;
    }
  }

  async newest(
    filter: HistoryFilter,
    limit: number,
    before?: string,
  ): Promise<{ events: LedgerEvent[]; next: string | null }> {
    let place = before === undefined ? null : parseToken(before);
    const events: LedgerEvent[] = [];
    for (let looked = 0; looked < maxBlocksPerSearch; ) {
      // The page may end within a block: that block is looked at again, up to the event that was given last.
      const resumed = place?.index !== undefined && place.index > 0 ? place : null;
      const after = place === null ? null : resumed ? { ...place, seq: place.seq + 1 } : place;
      const blocks = await this.#blocksByTime(filter, 'newest', after);
      for (const block of blocks) {
        looked += 1;
        const same = resumed !== null && block.writer_id === resumed.writer_id && block.seq === resumed.seq;
        const unpacked = await this.#unpack(block);
        for (let i = (same ? resumed.index : unpacked.length) - 1; i >= 0; i--) {
          const event = unpacked[i] as LedgerEvent;
          if (!matches(event, filter)) continue;
          events.push(event);
          place = { received_at: block.received_at, writer_id: block.writer_id, seq: block.seq, index: i };
          if (events.length === limit) return { events, next: tokenOf(place) };
        }
        place = { received_at: block.received_at, writer_id: block.writer_id, seq: block.seq, index: 0 };
      }
      if (blocks.length === 0) return { events, next: null };
    }
    return { events, next: place === null ? null : tokenOf(place) };
  }

  async at(positions: readonly LedgerPosition[]): Promise<LedgerEvent[]> {
    const places = new Map(positions.map((p) => [`${p.writer_id}:${p.seq}`, { writer_id: p.writer_id, seq: p.seq }]));
    const blocks = await blocksAt(this.#pool, [...places.values()]);
    const unpacked = new Map<string, LedgerEvent[]>();
    for (const block of blocks) unpacked.set(`${block.writer_id}:${block.seq}`, await this.#unpack(block));
    return positions.flatMap((p) => unpacked.get(`${p.writer_id}:${p.seq}`)?.[p.index] ?? []);
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
      blocks = Math.max(blocks, behind.blocks);
      if (behind.oldest_received_at !== null)
        oldest = Math.min(oldest ?? Number.MAX_SAFE_INTEGER, behind.oldest_received_at);
    }
    return { blocks, oldest_received_at: oldest };
  }

  #blocksByTime(
    filter: HistoryFilter,
    direction: 'oldest' | 'newest',
    after: { received_at: Micros; writer_id: number; seq: number } | null,
  ): Promise<BlockRow[]> {
    const buckets = filter.player_hash === undefined ? filter.buckets : [bucketOf(filter.player_hash)];
    return blocksByTime(this.#pool, {
      direction,
      from: filter.from ?? 0,
      // Events of one block were received within a group commit of each other; a block's time is that of its last one.
      to: filter.to === undefined ? farFuture : filter.to + longestCommit,
      mask: buckets === undefined ? allBuckets : maskOf(buckets),
      brandId: filter.brand_id ?? null,
      after,
      blocks: blocksPerPage,
      bytes: maxBytesPerRead,
    });
  }

  /**
   * The events of a block. One that cannot be read (a damaged page, a kind that a newer version wrote) is recorded and
   * gives none, so that it stops nobody's other events (design.md 2.7); once it can be read again, a rebuild finds them.
   */
  async #unpack(block: Omit<BlockRow, 'received_at'>): Promise<LedgerEvent[]> {
    const { writer_id, seq } = block;
    try {
      return decodeBlock(block.payload).map((entry, index) =>
        Object.assign(entry, { bucket: bucketOf(entry.player_hash), position: { writer_id, seq, index } }),
      );
    } catch (error) {
      if (!(error instanceof CorruptBlock)) throw error;
      this.#log.error({ err: error, writer_id, seq, events: block.event_count }, 'a ledger block cannot be read');
      await noteDamagedBlock(this.#pool, { writer_id, seq, event_count: block.event_count, reason: error.message });
      return [];
    }
  }

  /** The list is asked for anew when it is old, or when a bucket has joined that stands below where the list begins. */
  async #refreshWriters(groups: readonly CursorGroup[]): Promise<void> {
    const lowest = Math.min(...groups.map((group) => group.positions.floor));
    const now = performance.now();
    if (lowest >= this.#writers.above && now - this.#writersAt < writersRefreshMs) return;
    this.#writers = { above: lowest, writers: await writersAbove(this.#pool, lowest) };
    this.#writersAt = now;
  }
}

/**
 * One block of each writer in turn, so that a writer with a backlog does not keep the others waiting. The blocks of one
 * writer stay in the order of their numbers.
 */
function inTurns<B extends { writer_id: number; seq: number }>(blocks: readonly B[]): B[] {
  const first = new Map<number, number>();
  for (const { writer_id, seq } of blocks) if (!first.has(writer_id)) first.set(writer_id, seq);
  if (first.size <= 1) return [...blocks];
  const turn = (block: B) => block.seq - (first.get(block.writer_id) ?? 0);
  return [...blocks].sort((a, b) => turn(a) - turn(b));
}

const allBuckets = (1n << BigInt(bucketCount)) - 1n;
/** 9999-12-31, and the longest that an event may wait between its arrival and its commit, both in microseconds. */
const farFuture = 253_370_764_800_000_000;
const longestCommit = 60_000_000;

function maskOf(buckets: readonly Bucket[]): bigint {
  return buckets.reduce((mask, bucket) => mask | (1n << BigInt(bucket)), 0n);
}

function placesOf(positions: Positions): { writer_id: number; day: string; seq: number }[] {
  return Object.entries(positions.at).map(([id, [day, seq]]) => ({ writer_id: Number(id), day, seq }));
}

function matches(event: LedgerEvent, filter: HistoryFilter): boolean {
  return (
    (filter.brand_id === undefined || event.brand_id === filter.brand_id) &&
    (filter.player_hash === undefined || event.player_hash === filter.player_hash) &&
    (filter.buckets === undefined || filter.buckets.includes(event.bucket)) &&
    (filter.kinds === undefined || filter.kinds.includes(event.kind)) &&
    (filter.from === undefined || event.received_at >= filter.from) &&
    (filter.to === undefined || event.received_at <= filter.to)
  );
}

interface Place {
  received_at: Micros;
  writer_id: number;
  seq: number;
  /** The page goes on before this event of the block; 0 = with the block before. */
  index: number;
}

function tokenOf(place: Place): string {
  return Buffer.from([place.received_at, place.writer_id, place.seq, place.index].join(':')).toString('base64url');
}

function parseToken(token: string): Place {
  const parts = Buffer.from(token, 'base64url').toString().split(':').map(Number);
  if (parts.length !== 4 || !parts.every(Number.isSafeInteger)) throw new RangeError('not a token of this list');
  const [received_at, writer_id, seq, index] = parts as [number, number, number, number];
  return { received_at, writer_id, seq, index };
}
