import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { CorruptBlock, decodeBlock } from './block.ts';
import type { LedgerEvent } from './ledger.ts';
import { decodeHeads, type PackedEvent, type PackedHead, unpackBodies, withBodies } from './pack.ts';
import type { PackRow } from './pack-store.ts';
import { bucketOf } from './player-hash.ts';
import { type BlockRow, noteDamage, packDamage } from './store.ts';

export type PackName = Pick<PackRow, 'slice_id' | 'bucket' | 'event_count'>;

/**
 * Reads the events of blocks and packs. A block that cannot be read (a damaged page, a kind that a newer version wrote)
 * is recorded and gives no events, so it does not block the events of others (docs/reference/design.md 2.7). Once it
 * can be read again, a rebuild finds its events.
 */
export class BlockReader {
  readonly #pool: Pool;
  readonly #log: Logger;

  constructor(options: { pool: Pool; log: Logger }) {
    this.#pool = options.pool;
    this.#log = options.log;
  }

  /** Null if the block cannot be read. */
  async events(block: Pick<BlockRow, 'writer_id' | 'seq' | 'event_count' | 'payload'>): Promise<LedgerEvent[] | null> {
    const { writer_id, seq, event_count } = block;
    const read = () =>
      decodeBlock(block.payload).flatMap((entry, index) =>
        entry === null
          ? []
          : Object.assign(entry, { bucket: bucketOf(entry.player_hash), position: { writer_id, seq, index } }),
      );
    return this.#orDamage(read, { writer_id, seq, event_count });
  }

  async heads(pack: Omit<PackRow, 'bodies'>): Promise<PackedHead[]> {
    return (await this.#orDamage(() => decodeHeads(pack), packDamage(pack))) ?? [];
  }

  /** Null if they cannot be read. */
  unpackBodies(pack: PackName, bodies: Buffer): Promise<Buffer | null> {
    return this.#orDamage(() => unpackBodies(bodies), packDamage(pack));
  }

  /**
   * Unpacks the bodies for heads that were read earlier. If events were erased since, it also returns the heads of the current version;
   * otherwise `heads` is null.
   *
   * @param pack the current version
   */
  async reopen(before: PackName, pack: PackRow): Promise<{ heads: PackedHead[] | null; bodies: Buffer | null }> {
    const heads = pack.event_count === before.event_count ? null : await this.heads(pack);
    return { heads, bodies: await this.unpackBodies(pack, pack.bodies) };
  }

  /** @param bodies as returned by `unpackBodies` */
  async withBodies(pack: PackName, heads: readonly PackedHead[], bodies: Buffer | null): Promise<PackedEvent[]> {
    if (bodies === null) return [];
    return (await this.#orDamage(() => withBodies(heads, bodies), packDamage(pack))) ?? [];
  }

  async #orDamage<T>(read: () => T, what: { writer_id: number; seq: number; event_count: number }): Promise<T | null> {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CorruptBlock)) throw error;
      this.#log.error({ err: error, ...what }, 'a ledger block cannot be read');
      await noteDamage(this.#pool, { ...what, reason: error.message });
      return null;
    }
  }
}
