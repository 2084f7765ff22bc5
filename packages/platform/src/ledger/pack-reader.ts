import type { Pool } from 'pg';
import type { BlockReader } from './block-reader.ts';
import { type CursorGroup, isPast, leavePacks, moveOverSlice, moveTo, type Positions } from './cursor.ts';
import type { Bucket, Found, LedgerEvent, SoughtPosition } from './ledger.ts';
import type { PackedEvent } from './pack.ts';
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

/** Slices asked for at once; a quiet bucket has none or few events in each. */
const slicesPerRead = 32;

interface PacksRead {
  bucket: Bucket;
  events: LedgerEvent[];
  positions: Positions;
}

/**
 * Reads packed days for cursors that stand before their end.
 *
 * One bucket after the other, slice by slice: a pack belongs to one bucket, so nothing is unpacked for nobody, and the
 * 64 buckets of a reader that begins at the beginning come through one by one. A reader that wants fewer events than a
 * pack has is given the pack in parts; the pack stays unpacked here until it wants the rest.
 */
export class PackReader {
  readonly #pool: Pool;
  readonly #blocks: BlockReader;
  #last: { slice_id: number; bucket: Bucket; events: Promise<PackedEvent[]> } | undefined;

  constructor(options: { pool: Pool; blocks: BlockReader }) {
    this.#pool = options.pool;
    this.#blocks = options.blocks;
  }

  /** Moves at least the first bucket of the group, and further ones until about `limit` events are read. */
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
      // Null when a slice was added in this moment: the next read finds it.
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

  /** Events of blocks that could not be read when their day was packed, but can be now. */
  async setAside(sliceId: number): Promise<PackedEvent[]> {
    const events: PackedEvent[] = [];
    for (const block of await setAside(this.#pool, sliceId)) {
      for (const event of (await this.#blocks.events(block)) ?? []) {
        events.push({ ...event, block_at: block.received_at });
      }
    }
    return events;
  }

  /** Events at positions that are no longer in blocks. Damaged are those that a slice has taken and does not give. */
  async at(positions: readonly SoughtPosition[]): Promise<Found> {
    const found: LedgerEvent[] = [];
    const sliced: SoughtPosition[] = [];
    for (const [sliceId, sought] of await slicesOf(this.#pool, positions)) {
      const keys = new Set(sought.map(placeOf));
      sliced.push(...sought);
      const hints = sought.flatMap(({ bucket }) => (bucket === undefined ? [] : [bucket]));
      const buckets = hints.length === sought.length ? [...new Set(hints)] : null;
      for (const pack of await packHeads(this.#pool, sliceId, buckets)) {
        if (keys.size === 0) break;
        const heads = (await this.#blocks.heads(pack)).filter(({ position }) => keys.delete(placeOf(position)));
        if (heads.length === 0) continue;
        const whole = await packOf(this.#pool, pack);
        if (whole === undefined) continue;
        const { heads: again, bodies } = await this.#blocks.reopen(pack, whole);
        const wanted = new Set(heads.map(({ position }) => placeOf(position)));
        const current = again?.filter(({ position }) => wanted.has(placeOf(position))) ?? heads;
        const events = await this.#blocks.withBodies(pack, current, bodies);
        found.push(...events.map(({ block_at: _, ...event }) => event));
      }
      if (keys.size === 0) continue;
      const aside = new Map(
        sought.filter((each) => keys.has(placeOf(each))).map((each) => [`${each.writer_id}-${each.seq}`, each]),
      );
      for (const block of await setAsideAt(this.#pool, [...aside.values()])) {
        const events = (await this.#blocks.events(block)) ?? [];
        found.push(...events.filter(({ position }) => keys.has(placeOf(position))));
      }
    }
    const given = new Set(found.map(({ position }) => placeOf(position)));
    return { events: found, damaged: sliced.filter((position) => !given.has(placeOf(position))) };
  }
}

function placeOf({ writer_id, seq, index }: SoughtPosition): string {
  return `${writer_id}-${seq}-${index}`;
}
