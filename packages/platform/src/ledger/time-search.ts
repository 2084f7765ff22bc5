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
 * Looks for events through time, in blocks and packs at once.
 *
 * Both have the same order: that of their blocks' times. Blocks come in pages by their index; of slices it is known when
 * they begin and end, so one is opened only when the search comes to its time. Usually that is one after the other; a late
 * writer's slice, or its blocks, may lie across the times of others, and then they are merged.
 *
 * Each page is one snapshot, so that a day that is packed between two pages, or in the middle of one, is seen in exactly one
 * of its forms. A place in the order means the same before and after.
 */

/** Blocks fetched for one page: about 1 MB. */
const blocksPerPage = 200;
const bytesPerPage = 16 * 1024 * 1024;
/** Slices opened anew for one page, 50-100 ms each: a rare event is looked for over several pages. */
const slicesPerPage = 4;
/** Slices that a page knows of. */
const slicesListed = 200;
/** An opened slice counts as so many blocks where a search is limited. */
const blocksPerSlice = 500;

export interface FoundBlock extends Place {
  /** Those that match, in the order in which they were committed. */
  events: LedgerEvent[];
}

export interface SearchPage {
  blocks: FoundBlock[];
  /** Where the next page goes on; null at the end. */
  end: Place | null;
  /** Blocks looked at, found or not. */
  looked: number;
}

export class TimeSearch {
  readonly #pool: Pool;
  readonly #reader: BlockReader;
  readonly #filter: HistoryFilter;
  readonly #direction: Direction;
  /** Slices that the last page used: the next one begins in them. */
  #open = new Map<number, OpenSlice>();

  constructor(deps: { pool: Pool; reader: BlockReader }, search: { filter: HistoryFilter; direction: Direction }) {
    this.#pool = deps.pool;
    this.#reader = deps.reader;
    this.#filter = search.filter;
    this.#direction = search.direction;
  }

  /** What follows a place, until `wanted` events are found or a page's work is done. */
  page(after: Place | null, wanted: number): Promise<SearchPage> {
    return transaction(this.#pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read read only');
      return this.#page(tx, after, wanted);
    });
  }

  async #page(tx: PoolClient, after: Place | null, wanted: number): Promise<SearchPage> {
    const rows = await this.#rows(tx, after);
    const { slices: pending, more } = await this.#slices(tx, after, rows.at(-1) ?? null);
    const open: { slice: OpenSlice; next: number }[] = [];
    const used = new Map<number, OpenSlice>();
    const blocks: FoundBlock[] = [];
    let found = 0;
    let fresh = 0;
    let row = 0;
    const result = (end: Place | null): SearchPage => {
      this.#open = used;
      return { blocks, end, looked: row + fresh * blocksPerSlice };
    };
    while (found < wanted) {
      const block = rows[row];
      const source = this.#nearest(open);
      const packed = source?.slice.blocks[source.next];
      const best = [block, packed].flatMap((each) => each ?? []).sort((a, b) => compare(this.#direction, a, b))[0];
      // All rows of the page are given, so what comes before the next row is not known.
      if (block === undefined && rows.length > 0) return result(rows.at(-1) ?? null);
      const slice = pending[0];
      const edge = slice && this.#edgeOf(slice);
      if (slice && edge && (best === undefined || compare(this.#direction, edge, best) < 0)) {
        const known = this.#open.get(slice.slice_id);
        const isFurther = after === null || compare(this.#direction, edge, after) > 0;
        if (!known && fresh >= slicesPerPage && isFurther) return result(edge);
        if (!known) fresh += 1;
        const opened = known ?? (await OpenSlice.open(tx, this.#reader, slice, this.#filter, this.#direction));
        used.set(slice.slice_id, opened);
        open.push({ slice: opened, next: this.#firstAfter(opened, after) });
        pending.shift();
        if (pending.length === 0 && more) return result(edge);
        continue;
      }
      if (best === undefined) return result(null);
      const { received_at, writer_id, seq } = best;
      let events: LedgerEvent[] = [];
      if (packed !== undefined && source !== undefined && best === packed) {
        events = await source.slice.events(tx, this.#reader, packed);
        source.next += 1;
      } else if (block !== undefined) {
        events = ((await this.#reader.events(block)) ?? []).filter((event) => matches(event, this.#filter));
        row += 1;
      }
      found += events.length;
      if (events.length > 0) blocks.push({ received_at, writer_id, seq, events });
      if (found >= wanted) return result({ received_at, writer_id, seq });
    }
    return result(after);
  }

  #rows(tx: PoolClient, after: Place | null): Promise<BlockRow[]> {
    return blocksByTime(tx, {
      ...blockTimes(this.#filter),
      direction: this.#direction,
      mask: maskOf(bucketsOf(this.#filter)),
      brandId: this.#filter.brand_id ?? null,
      after,
      blocks: blocksPerPage,
      bytes: bytesPerPage,
    });
  }

  /** Slices with something between two places, nearest first; all that begin at the first place are among them. */
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

  #nearest(open: readonly { slice: OpenSlice; next: number }[]) {
    let nearest: { slice: OpenSlice; next: number } | undefined;
    for (const each of open) {
      const block = each.slice.blocks[each.next];
      const best = nearest?.slice.blocks[nearest.next];
      if (block && (best === undefined || compare(this.#direction, block, best) < 0)) nearest = each;
    }
    return nearest;
  }

  #firstAfter({ blocks }: OpenSlice, after: Place | null): number {
    if (after === null) return 0;
    let from = 0;
    for (let to = blocks.length; from < to; ) {
      const middle = (from + to) >> 1;
      const block = blocks[middle];
      if (block && compare(this.#direction, block, after) <= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
