import type { Pool } from 'pg';
import type { BlockReader } from './block-reader.ts';
import { type CursorGroup, isPast, leavePacks, moveOverSlice, moveTo, type Positions } from './cursor.ts';
import type { Bucket, Found, LedgerEvent, SoughtPosition } from './ledger.ts';
import type { PackedEvent, PackedHead } from './pack.ts';
import { inReadingOrder, wholeBlocks } from './pack-order.ts';
import {
  type PackRow,
  packedEnds,
  packHeads,
  packOf,
  type SliceOfBucket,
  setAside,
  setAsideAt,
  slicesAfter,
  slicesOf,
} from './pack-store.ts';

/** The number of slices queried at once. A bucket with little traffic has few or no events in each. */
const slicesPerRead = 32;

interface PacksRead {
  bucket: Bucket;
  events: LedgerEvent[];
  positions: Positions;
}

/**
 * Reads packed days for cursors that are before their end.
 *
 * It reads one bucket after the other, slice by slice. A pack belongs to one bucket, so nothing is unpacked unnecessarily. The
 * 64 buckets of a reader that starts at the beginning finish one by one. A reader that wants fewer events than a pack contains
 * gets the pack in parts; the pack stays unpacked here until the reader gets the rest.
 */
export class PackReader {
  readonly #pool: Pool;
  readonly #blocks: BlockReader;
  #last: { slice_id: number; bucket: Bucket; events: Promise<PackedEvent[]> } | undefined;

  constructor(options: { pool: Pool; blocks: BlockReader }) {
    this.#pool = options.pool;
    this.#blocks = options.blocks;
  }

  /** Reads for at least the first bucket of the group, and for further buckets until about `limit` events are read. */
  async read({ positions, buckets }: CursorGroup, limit: number): Promise<PacksRead[]> {
    const reads: PacksRead[] = [];
    let left = limit;
    for (const bucket of buckets) {
      if (reads.length > 0 && left <= 0) break;
      const read = await this.#readBucket(bucket, positions, Math.max(1, left));
      reads.push(read);
      left -= read.events.length;
    }
    return reads;
  }

  async #readBucket(bucket: Bucket, from: Positions, limit: number): Promise<PacksRead> {
    let positions: Positions = { ...from, slice: from.slice ?? 0 };
    const events: LedgerEvent[] = [];
    const { slice: slice_id = 0, floor } = positions;
    const slices = await slicesAfter(this.#pool, { slice_id, bucket, slices: slicesPerRead, events: limit });
    if (slices.length === 0) {
      const ends = await packedEnds(this.#pool, { slice_id, floor });
      // `ends` is null if a slice was just added. The next read finds it.
      return { bucket, events, positions: ends === null ? positions : leavePacks(positions, ends) };
    }
    for (const slice of slices) {
      if (events.length >= limit) break;
      const next = (await this.#eventsOf(slice, bucket)).filter(
        ({ position }) => !isPast(positions, position.writer_id, position.seq),
      );
      const taken = wholeBlocks(next, limit - events.length);
      for (const { block_at: _, ...event } of taken) events.push(event);
      if (taken.length < next.length) {
        const ends = taken.map(({ position: { writer_id, seq } }) => ({ writer_id, seq, day: slice.day }));
        return { bucket, events, positions: moveTo(positions, ends) };
      }
      positions = moveOverSlice(positions, slice);
    }
    return { bucket, events, positions };
  }

  #eventsOf({ slice_id, pack, set_aside }: SliceOfBucket, bucket: Bucket): Promise<PackedEvent[]> {
    if (this.#last?.slice_id !== slice_id || this.#last.bucket !== bucket) {
      const last = { slice_id, bucket, events: this.#unpack(slice_id, pack, set_aside, bucket) };
      last.events.catch(() => {
        if (this.#last === last) this.#last = undefined;
      });
      this.#last = last;
    }
    return this.#last.events;
  }

  async #unpack(sliceId: number, pack: PackRow | null, aside: number, bucket: Bucket): Promise<PackedEvent[]> {
    const events = pack === null ? [] : await this.events(pack);
    if (aside > 0) events.push(...(await this.setAside(sliceId)).filter((event) => event.bucket === bucket));
    return inReadingOrder(events);
  }

  async events(pack: PackRow): Promise<PackedEvent[]> {
    const heads = await this.#blocks.heads(pack);
    return this.#blocks.withBodies(pack, heads, await this.#blocks.unpackBodies(pack, pack.bodies));
  }

  /** Events of blocks that were unreadable when their day was packed, but are readable now. */
  async setAside(sliceId: number): Promise<PackedEvent[]> {
    const events: PackedEvent[] = [];
    for (const block of await setAside(this.#pool, sliceId)) {
      for (const event of (await this.#blocks.events(block)) ?? []) {
        events.push({ ...event, block_at: block.received_at });
      }
    }
    return events;
  }

  /**
   * Events at positions that are no longer in blocks. `damaged` are those that are, or may be, in an unreadable block or pack. The others
   * were erased, or never existed.
   */
  async at(positions: readonly SoughtPosition[]): Promise<Found> {
    const found: LedgerEvent[] = [];
    const damaged: SoughtPosition[] = [];
    for (const [sliceId, sought] of await slicesOf(this.#pool, positions)) {
      const left = new Map(sought.map((position) => [placeOf(position), position]));
      const inPacks = await this.#inPacks(sliceId, left);
      const aside = await this.#inSetAside(left);
      found.push(...inPacks.events, ...aside.events);
      damaged.push(...inPacks.damaged, ...aside.damaged);
      if (inPacks.mayHoldMore) damaged.push(...left.values());
    }
    return { events: found, damaged };
  }

  /** Removes the positions that it resolves from `left`. */
  async #inPacks(sliceId: number, left: Map<string, SoughtPosition>): Promise<Found & { mayHoldMore: boolean }> {
    const found: LedgerEvent[] = [];
    const damaged: SoughtPosition[] = [];
    let mayHoldMore = false;
    for (const pack of await packHeads(this.#pool, sliceId, bucketsOf([...left.values()]))) {
      if (left.size === 0) break;
      const all = await this.#blocks.heads(pack);
      mayHoldMore ||= all.length < pack.event_count;
      const heads = all.filter(({ position }) => left.has(placeOf(position)));
      if (heads.length === 0) continue;
      const whole = await packOf(this.#pool, pack);
      // If the pack or a head is missing now, the event was erased since.
      const { heads: again, bodies } = whole === undefined ? none : await this.#blocks.reopen(pack, whole);
      const current = again?.filter(({ position }) => left.has(placeOf(position))) ?? heads;
      const events = await this.#blocks.withBodies(pack, current, bodies);
      found.push(...events.map(({ block_at: _, ...event }) => event));
      if (events.length < current.length) damaged.push(...current.map(({ position }) => position));
      for (const { position } of heads) left.delete(placeOf(position));
    }
    return { events: found, damaged, mayHoldMore };
  }

  async #inSetAside(left: Map<string, SoughtPosition>): Promise<Found> {
    const found: LedgerEvent[] = [];
    const damaged: SoughtPosition[] = [];
    const blocks = new Map([...left.values()].map((each) => [`${each.writer_id}-${each.seq}`, each]));
    for (const block of left.size === 0 ? [] : await setAsideAt(this.#pool, [...blocks.values()])) {
      const events = await this.#blocks.events(block);
      found.push(...(events ?? []).filter(({ position }) => left.has(placeOf(position))));
      for (const [place, position] of left) {
        if (position.writer_id !== block.writer_id || position.seq !== block.seq) continue;
        if (events === null) damaged.push(position);
        left.delete(place);
      }
    }
    return { events: found, damaged };
  }
}

/** The result for a pack that was removed since its heads were read. */
const none: { heads: PackedHead[] | null; bodies: Buffer | null } = { heads: [], bodies: null };

/** Null if a position may be in any bucket. */
function bucketsOf(positions: readonly SoughtPosition[]): Bucket[] | null {
  const buckets = positions.flatMap(({ bucket }) => (bucket === undefined ? [] : [bucket]));
  return buckets.length === positions.length ? [...new Set(buckets)] : null;
}

function placeOf({ writer_id, seq, index }: SoughtPosition): string {
  return `${writer_id}-${seq}-${index}`;
}
