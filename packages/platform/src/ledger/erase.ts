import type { Pool, PoolClient } from 'pg';
import { vacuumTables } from '../database/index.ts';
import { CorruptBlock, decodeBlock, encodeBlock } from './block.ts';
import * as store from './erase-store.ts';
import type { Bucket, Erased, ErasureOptions, LedgerEraser, LedgerEvent, LedgerPosition } from './ledger.ts';
import { decodeHeads, encodePack, type PackedEvent, playerBytes, unpackBodies, withBodies } from './pack.ts';
import { type PackRow, packOf, setAsideAt, slicesOf } from './pack-store.ts';
import { asPacker } from './packer.ts';
import { bucketOf } from './player-hash.ts';
import { type BlockRow, blocksAt } from './store.ts';

/*
 * Permanently removes single events from the ledger.
 *
 *   block    the event's frame becomes an empty one, so that the events after it keep their index
 *   pack     the event is removed; the heads contain the positions of the other events
 *
 * Number, day and time of a block and the ends of a slice do not change, so all cursors stay valid. A reader in the middle of a block or
 * pack continues. The part that it has not read yet no longer contains the event. A reader that already holds the heads of a pack detects
 * the erasure when it fetches the bodies, because an erasure always lowers the number of events (`OpenSlice`, `PackReader.at`).
 *
 * Packing reads blocks and writes packs, so a block that was changed in between would get its old content back.
 * Therefore the eraser holds the packers' lock, and no process packs or drops meanwhile. Old versions stay on the disk
 * until VACUUM (`purge`).
 */

const blocksPerPage = 200;

/** The tables that contain events. */
const tables = ['public.ledger_block', 'public.ledger_pack', 'public.ledger_set_aside'];

type Which = (event: LedgerEvent) => boolean;
type Outcome = { rest: (LedgerEvent | null)[]; erased: LedgerEvent[] };

export class PostgresLedgerEraser implements LedgerEraser {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async erasePlayer(
    player: { brand_id: number; player_hash: bigint; isTheirs: Which },
    options: ErasureOptions = {},
  ): Promise<Erased | 'busy'> {
    const { brand_id, player_hash } = player;
    const which: Which = (event) =>
      event.brand_id === brand_id && event.player_hash === player_hash && player.isTheirs(event);
    return asPacker(this.#pool, (client) => new Run(client, which, options).player(brand_id, player_hash));
  }

  async eraseAt(
    places: readonly { writer_id: number; seq: number; bucket: Bucket }[],
    which: Which,
    options: ErasureOptions = {},
  ): Promise<Erased | 'busy'> {
    return asPacker(this.#pool, (client) => new Run(client, which, options).places(this.#pool, places));
  }

  purge(): Promise<void> {
    return vacuumTables(this.#pool, tables);
  }
}

class Run {
  readonly #client: PoolClient;
  readonly #which: Which;
  readonly #options: ErasureOptions;
  readonly #erased: Erased = { events: 0, blocks: 0, packs: 0, unreadable: 0 };

  constructor(client: PoolClient, which: Which, options: ErasureOptions) {
    this.#client = client;
    this.#which = which;
    this.#options = options;
  }

  async player(brandId: number, playerHash: bigint): Promise<Erased> {
    const of = { bucket: bucketOf(playerHash), brand_id: brandId };
    for (let after: store.Place = { writer_id: 0, seq: 0 }; ; ) {
      this.#options.signal?.throwIfAborted();
      const rows = await store.blocksToSearch(this.#client, of, after, blocksPerPage);
      const last = rows.at(-1);
      if (last === undefined) break;
      for (const row of rows) await this.#block(row);
      after = last;
    }
    for (const slice_id of await store.slicesNaming(this.#client, of.bucket, playerBytes(playerHash))) {
      this.#options.signal?.throwIfAborted();
      await this.#pack(slice_id, of.bucket);
    }
    for (const row of await store.setAsideBlocks(this.#client)) await this.#setAside(row);
    return this.#erased;
  }

  async places(pool: Pool, places: readonly (Omit<LedgerPosition, 'index'> & { bucket: Bucket })[]): Promise<Erased> {
    for (const row of await blocksAt(pool, [...places])) await this.#block(row);
    const positions = places.map((place) => ({ ...place, index: 0 }));
    for (const [slice_id, taken] of await slicesOf(pool, positions)) {
      for (const bucket of new Set(taken.map((place) => place.bucket))) await this.#pack(slice_id, bucket);
    }
    for (const row of await setAsideAt(pool, places)) await this.#setAside(row);
    return this.#erased;
  }

  async #block(row: BlockRow): Promise<void> {
    const outcome = this.#apart(row);
    if (outcome === undefined) return;
    const rest = outcome.rest.filter((event) => event !== null);
    await this.#write(outcome.erased, (tx) =>
      store.rewriteBlock(tx, {
        ...row,
        event_count: rest.length,
        bucket_mask: BigInt.asIntN(
          64,
          rest.reduce((mask, event) => mask | (1n << BigInt(event.bucket)), 0n),
        ),
        brand_ids: [...new Set(rest.map((event) => event.brand_id))],
        payload: encodeBlock(outcome.rest),
      }),
    );
    this.#erased.blocks += 1;
  }

  async #setAside(row: BlockRow): Promise<void> {
    const outcome = this.#apart(row);
    if (outcome === undefined) return;
    const event_count = outcome.rest.filter((event) => event !== null).length;
    await this.#write(outcome.erased, (tx) =>
      store.rewriteSetAside(tx, { ...row, event_count, payload: encodeBlock(outcome.rest) }),
    );
    this.#erased.blocks += 1;
  }

  /** Undefined if there is nothing to remove. */
  #apart({ writer_id, seq, payload }: BlockRow): Outcome | undefined {
    const entries = this.#orUnreadable(() => decodeBlock(payload));
    const erased: LedgerEvent[] = [];
    const rest = entries?.map((entry, index): LedgerEvent | null => {
      if (entry === null) return null;
      const event = { ...entry, bucket: bucketOf(entry.player_hash), position: { writer_id, seq, index } };
      if (!this.#which(event)) return event;
      erased.push(event);
      return null;
    });
    return rest === undefined || erased.length === 0 ? undefined : { rest, erased };
  }

  async #pack(slice_id: number, bucket: Bucket): Promise<void> {
    const pack = await packOf(this.#client, { slice_id, bucket });
    const events = pack && this.#orUnreadable(() => eventsOf(pack));
    if (pack === undefined || events === undefined) return;
    const erased = events.filter(this.#which);
    if (erased.length === 0) return;
    const gone = new Set<PackedEvent>(erased);
    const rest = events.filter((event) => !gone.has(event));
    const after = rest.length === 0 ? null : { ...(await encodePack(rest)), event_count: rest.length };
    await this.#write(erased, (tx) => store.rewritePack(tx, pack, after));
    this.#erased.packs += 1;
  }

  async #write(erased: readonly LedgerEvent[], rewrite: (tx: PoolClient) => Promise<void>): Promise<void> {
    await this.#options.beforeErased?.(erased);
    await this.#client.query('begin');
    try {
      await rewrite(this.#client);
      await this.#client.query('commit');
    } catch (error) {
      await this.#client.query('rollback').catch(() => {});
      throw error;
    }
    this.#erased.events += erased.length;
  }

  #orUnreadable<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CorruptBlock)) throw error;
      this.#erased.unreadable += 1;
      return undefined;
    }
  }
}

function eventsOf(pack: PackRow): PackedEvent[] {
  return withBodies(decodeHeads(pack), unpackBodies(pack.bodies));
}
