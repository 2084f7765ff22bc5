import type { ClientBase } from 'pg';
import type { BlockReader, PackName } from './block-reader.ts';
import { bucketsOf, matches } from './filter.ts';
import type { Bucket, HistoryFilter, LedgerEvent } from './ledger.ts';
import type { PackedEvent, PackedHead } from './pack.ts';
import { packHeads, packOf, type SliceRow, setAside } from './pack-store.ts';
import { compare, type Direction, type Place } from './place.ts';

interface Bodies {
  bytes: Buffer | null;
  /**
   * The heads by the place of their event. Null if events of the pack were erased since the heads were read, because the
   * heads then no longer match.
   */
  heads: ReadonlyMap<string, PackedHead> | null;
}

const none: Bodies = { bytes: null, heads: null };

/** The matching events of one block of a slice. Events from a pack do not have their bodies yet. */
export interface SliceBlock extends Place {
  events: (PackedHead | PackedEvent)[];
}

/**
 * A slice during a search by time: its blocks in the order of the search, with the matching events. Heads are unpacked
 * when it is opened. Bodies are unpacked when an event is returned, and then kept, because its neighbors will be next.
 */
export class OpenSlice {
  /** The blocks of the slice with matching events, in the order of the search. */
  readonly blocks: readonly SliceBlock[];
  readonly #packs: ReadonlyMap<Bucket, PackName>;
  readonly #bodies = new Map<Bucket, Bodies>();

  private constructor(blocks: readonly SliceBlock[], packs: readonly PackName[]) {
    this.blocks = blocks;
    this.#packs = new Map(packs.map((pack) => [pack.bucket, pack]));
  }

  static async open(
    tx: ClientBase,
    reader: BlockReader,
    slice: Pick<SliceRow, 'slice_id' | 'set_aside'>,
    filter: HistoryFilter,
    direction: Direction,
  ): Promise<OpenSlice> {
    const blocks = new Map<string, SliceBlock>();
    const add = (event: PackedHead | PackedEvent) => {
      if (!matches(event, filter)) return;
      const { writer_id, seq } = event.position;
      const block = blocks.get(`${writer_id}:${seq}`);
      if (block) block.events.push(event);
      else blocks.set(`${writer_id}:${seq}`, { received_at: event.block_at, writer_id, seq, events: [event] });
    };
    const packs = await packHeads(tx, slice.slice_id, bucketsOf(filter));
    for (const pack of packs) {
      for (const head of await reader.heads(pack)) add(head);
    }
    if (slice.set_aside > 0) {
      for (const block of await setAside(tx, slice.slice_id)) {
        for (const event of (await reader.events(block)) ?? []) add({ ...event, block_at: block.received_at });
      }
    }
    for (const { events } of blocks.values()) events.sort((a, b) => a.position.index - b.position.index);
    const names = packs.map(({ slice_id, bucket, event_count }) => ({ slice_id, bucket, event_count }));
    return new OpenSlice(
      [...blocks.values()].sort((a, b) => compare(direction, a, b)),
      names,
    );
  }

  /** The complete events of one of its blocks. */
  async events(tx: ClientBase, reader: BlockReader, block: number): Promise<LedgerEvent[]> {
    const events: LedgerEvent[] = [];
    for (const event of this.blocks[block]?.events ?? []) {
      if ('body' in event) {
        events.push(withoutBlock(event));
        continue;
      }
      const pack = this.#packs.get(event.bucket);
      if (pack === undefined) continue;
      const { bytes, heads } = await this.#bodiesOf(tx, reader, pack);
      const head = heads === null ? event : heads.get(placeOf(event));
      if (head) events.push(...(await reader.withBodies(pack, [head], bytes)).map(withoutBlock));
    }
    return events;
  }

  async #bodiesOf(tx: ClientBase, reader: BlockReader, pack: PackName): Promise<Bodies> {
    const known = this.#bodies.get(pack.bucket);
    if (known !== undefined) return known;
    const bodies = await readBodies(tx, reader, pack);
    this.#bodies.set(pack.bucket, bodies);
    return bodies;
  }
}

async function readBodies(tx: ClientBase, reader: BlockReader, pack: PackName): Promise<Bodies> {
  const whole = await packOf(tx, pack);
  if (whole === undefined) return none;
  const { heads, bodies } = await reader.reopen(pack, whole);
  return { bytes: bodies, heads: heads && new Map(heads.map((head) => [placeOf(head), head])) };
}

function placeOf({ position: { writer_id, seq, index } }: PackedHead): string {
  return `${writer_id}:${seq}:${index}`;
}

function withoutBlock({ block_at: _, ...event }: PackedEvent): LedgerEvent {
  return event;
}
