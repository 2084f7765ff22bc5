import type { Pool, PoolClient } from 'pg';
import { transaction } from '../database/index.ts';
import type { BlockReader } from './block-reader.ts';
import { blockTimes, bucketsOf, maskOf, matches } from './filter.ts';
import type { HistoryFilter, LedgerEvent } from './ledger.ts';
import { OpenSlice } from './open-slice.ts';
import { playerBytes } from './pack.ts';
import { type SliceRow, slicesByTime } from './pack-store.ts';
import { compare, type Direction, type Place, placeBefore } from './place.ts';
import { type BlockRow, blocksByTime } from './store.ts';

/*
 * Searches for events by time, in blocks and packs at once.
 *
 * Both are ordered by the times of their blocks. Blocks come in pages by their index. The start and end of each slice are known, so a slice
 * is opened only when the search reaches its time. Usually blocks and slices follow one another. A late writer's slice or blocks may
 * overlap others in time, and then they are merged.
 *
 * Each page is one snapshot. So a day that is packed between two pages, or in the middle of one, is seen in exactly one of its forms, and a
 * place in the order has the same meaning before and after packing.
 */

/** The number of blocks fetched for one page: about 1 MB. */
const blocksPerPage = 200;
const bytesPerPage = 16 * 1024 * 1024;
/**
 * Maximum number of bytes for the first page of the newest events. Each further page fetches up to four times as much as the page before.
 * At full load 200 blocks are 10 MB, but a list shows only the 50 events of one block.
 */
const firstBytes = 256 * 1024;
/** The number of slices opened for one page, 50-100 ms each. The search for a rare event takes several pages. */
const slicesPerPage = 4;
/** The number of slices listed for a page. */
const slicesListed = 200;
/** An opened slice counts as this many blocks if a search is limited. */
const blocksPerSlice = 500;

export interface FoundBlock extends Place {
  /** The matching events in the order in which they were committed. */
  events: LedgerEvent[];
}

export interface SearchPage {
  blocks: FoundBlock[];
  /** Where the next page continues; null at the end. */
  end: Place | null;
  /** The number of blocks searched, with or without matches. */
  looked: number;
}

export class TimeSearch {
  readonly #pool: Pool;
  readonly #reader: BlockReader;
  readonly #filter: HistoryFilter;
  readonly #direction: Direction;
  #bytes: number;
  /** The slices that the last page opened. They are kept, because the next page begins in one of them. */
  #open = new Map<number, OpenSlice>();

  constructor(deps: { pool: Pool; reader: BlockReader }, search: { filter: HistoryFilter; direction: Direction }) {
    this.#pool = deps.pool;
    this.#reader = deps.reader;
    this.#filter = search.filter;
    this.#direction = search.direction;
    this.#bytes = search.direction === 'newest' ? firstBytes : bytesPerPage;
  }

  /** Returns the matches after a place. It ends when `wanted` events are found, or when the page has reached its limits. */
  page(after: Place | null, wanted: number): Promise<SearchPage> {
    return transaction(this.#pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read read only');
      return this.#page(tx, after, wanted);
    });
  }

  async #page(tx: PoolClient, after: Place | null, wanted: number): Promise<SearchPage> {
    const rows = await this.#rows(tx, after);
    const lastRow = rows.at(-1);
    const { slices, more } = await this.#slices(tx, after, lastRow ?? null);
    const sources: Source[] = [{ blocks: rows, next: 0, events: (i) => this.#eventsOfRow(rows[i]) }];
    const open = new Map<number, OpenSlice>();
    const blocks: FoundBlock[] = [];
    let looked = 0;
    let fresh = 0;
    const endingAt = (end: Place | null): SearchPage => {
      this.#open = open;
      return { blocks, end, looked: looked + fresh * blocksPerSlice };
    };
    for (let found = 0; ; ) {
      const source = this.#nearest(sources);
      const block = source?.blocks[source.next];
      const slice = slices[open.size];
      const edge = slice && this.#edgeOf(slice);
      if (slice && edge && (block === undefined || compare(this.#direction, edge, block) < 0)) {
        const known = this.#open.get(slice.slice_id);
        const goesOn = after === null || compare(this.#direction, edge, after) > 0;
        if (!known && fresh >= slicesPerPage && goesOn) return endingAt(edge);
        if (!known) fresh += 1;
        const opened = known ?? (await OpenSlice.open(tx, this.#reader, slice, this.#filter, this.#direction));
        open.set(slice.slice_id, opened);
        const events = (i: number) => opened.events(tx, this.#reader, i);
        sources.push({ blocks: opened.blocks, next: this.#firstAfter(opened.blocks, after), events });
        // All listed slices are open. A slice that is not listed may begin here, so the page ends.
        if (more && open.size === slices.length) return endingAt(edge);
        continue;
      }
      if (source === undefined || block === undefined) return endingAt(null);
      const events = await source.events(source.next);
      source.next += 1;
      looked += 1;
      found += events.length;
      const place = { received_at: block.received_at, writer_id: block.writer_id, seq: block.seq };
      if (events.length > 0) blocks.push({ ...place, events });
      // The page ends after the last row, because rows that were not fetched may come next.
      if (found >= wanted || block === lastRow) return endingAt(place);
    }
  }

  async #eventsOfRow(row: BlockRow | undefined): Promise<LedgerEvent[]> {
    const events = row && (await this.#reader.events(row));
    return events?.filter((event) => matches(event, this.#filter)) ?? [];
  }

  #rows(tx: PoolClient, after: Place | null): Promise<BlockRow[]> {
    const bytes = this.#bytes;
    this.#bytes = Math.min(4 * bytes, bytesPerPage);
    return blocksByTime(tx, {
      ...blockTimes(this.#filter),
      direction: this.#direction,
      mask: maskOf(bucketsOf(this.#filter)),
      brandId: this.#filter.brand_id ?? null,
      after,
      blocks: blocksPerPage,
      bytes,
    });
  }

  /** Slices with events between two places, nearest first, including all that begin at the first place. */
  async #slices(
    tx: PoolClient,
    after: Place | null,
    until: Place | null,
  ): Promise<{ slices: SliceRow[]; more: boolean }> {
    const { player_hash } = this.#filter;
    const { from, to } = blockTimes(this.#filter);
    const newest = this.#direction === 'newest';
    const [early, late] = newest ? [until, after] : [after, until];
    for (let limit = slicesListed; ; limit *= 2) {
      const slices = await slicesByTime(tx, {
        direction: this.#direction,
        from: Math.max(from, early?.received_at ?? from),
        to: Math.min(to, late?.received_at ?? to),
        buckets: bucketsOf(this.#filter),
        player: player_hash === undefined ? null : playerBytes(player_hash),
        limit,
      });
      const last = slices.at(-1);
      if (last === undefined || slices.length < limit) return { slices, more: false };
      if (after === null || compare(this.#direction, this.#edgeOf(last), after) > 0) return { slices, more: true };
    }
  }

  #edgeOf({ from_at, to_at }: SliceRow): Place {
    return placeBefore(this.#direction, this.#direction === 'newest' ? to_at : from_at);
  }

  /** The source whose next block comes first. */
  #nearest(sources: readonly Source[]): Source | undefined {
    let nearest: Source | undefined;
    for (const source of sources) {
      const block = source.blocks[source.next];
      const best = nearest?.blocks[nearest.next];
      if (block && (best === undefined || compare(this.#direction, block, best) < 0)) nearest = source;
    }
    return nearest;
  }

  #firstAfter(blocks: readonly Place[], after: Place | null): number {
    if (after === null) return 0;
    let first = 0;
    for (let end = blocks.length; first < end; ) {
      const middle = (first + end) >> 1;
      const block = blocks[middle];
      if (block && compare(this.#direction, block, after) <= 0) first = middle + 1;
      else end = middle;
    }
    return first;
  }
}

/** Blocks in the order of the search: a page's rows, or an opened slice. */
interface Source {
  blocks: readonly Place[];
  next: number;
  /** The matching events of one of the blocks. */
  events(block: number): Promise<LedgerEvent[]>;
}
