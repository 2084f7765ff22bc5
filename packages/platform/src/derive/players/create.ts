import type { ClientBase } from 'pg';
import { bucketOf, ErasedPlayers, type ErasureKeys, playerHash } from '../../ledger/index.ts';
import { swapLock } from '../apply/batch.ts';
import { resolvePlayers } from './store.ts';

/**
 * Creates players for stages that learn of them by other means than an event
 * (docs/reference/decisions.md 4, "Unknown ids create the player").
 */
export class PlayerCreator {
  readonly #erased: ErasedPlayers;

  constructor(keys: ErasureKeys) {
    this.#erased = new ErasedPlayers(keys);
  }

  /**
   * Returns players of a brand by user_id, creating missing ones in the caller's transaction. The result leaves out
   * players erased within the last 30 days, and a player that another transaction is creating at the same moment.
   */
  async create(
    tx: ClientBase,
    brandId: number,
    userIds: readonly string[],
  ): Promise<{ player_id: number; user_id: string }[]> {
    if (userIds.length === 0) return [];
    // An erasure removes a player only while no transaction holds this lock, as with derive's batches
    // (privacy/README.md).
    await tx.query('select pg_advisory_xact_lock_shared($1)', [swapLock]);
    await this.#erased.refresh(tx);
    const keys = userIds.flatMap((user_id) => {
      const hash = playerHash(brandId, user_id);
      return this.#erased.has(brandId, hash) ? [] : [{ brand_id: brandId, user_id, bucket: bucketOf(hash) }];
    });
    return keys.length === 0 ? [] : resolvePlayers(tx, keys);
  }
}
