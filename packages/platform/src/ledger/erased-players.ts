import type { ClientBase, Pool } from 'pg';
import type { Bucket } from './ledger.ts';
import { bucketOf } from './player-hash.ts';

/** Makes the keyed hash of a player. Implemented by the registry of brands, which has the secret. */
export interface ErasureKeys {
  /** 32 bytes as base64. */
  erasureKey(brandId: number, playerHash: bigint): string;
}

/**
 * Players that were erased within the last 30 days. Their late events are answered and discarded
 * (docs/reference/design.md 7).
 *
 * The database stores a keyed hash of each, and a number that grows with every change. A process holds the hashes in
 * memory and queries the number, which costs almost nothing. The answer is reliable inside a transaction that waited
 * for the lock of live state.
 *
 * After ten erasures, 54 of 64 buckets have no erased player. Only an event of the other buckets costs an HMAC, 2 microseconds.
 */
export class ErasedPlayers {
  readonly #keys: ErasureKeys;
  #epoch: number | undefined;
  #byBucket: ReadonlyMap<Bucket, ReadonlySet<string>> = new Map();

  constructor(keys: ErasureKeys) {
    this.#keys = keys;
  }

  /** Updates the list to what `db` sees. Returns true if it changed. */
  async refresh(db: Pool | ClientBase): Promise<boolean> {
    const { rows } = await db.query<{ epoch: number }>({
      name: 'erasure_epoch',
      text: 'select epoch from erasure_epoch',
    });
    const epoch = rows[0]?.epoch;
    if (epoch === this.#epoch) return false;
    const { rows: users } = await db.query<{ user_key: Buffer; bucket: Bucket }>(
      'select user_key, bucket from erased_user',
    );
    const byBucket = new Map<Bucket, Set<string>>();
    for (const { user_key, bucket } of users) {
      const known = byBucket.get(bucket) ?? new Set<string>();
      byBucket.set(bucket, known.add(user_key.toString('base64')));
    }
    this.#byBucket = byBucket;
    this.#epoch = epoch;
    return true;
  }

  /** The key under which the player is listed; undefined if the player was not erased. */
  keyOf(brandId: number, playerHash: bigint): string | undefined {
    if (this.#byBucket.size === 0) return undefined;
    const listed = this.#byBucket.get(bucketOf(playerHash));
    if (listed === undefined) return undefined;
    const key = this.#keys.erasureKey(brandId, playerHash);
    return listed.has(key) ? key : undefined;
  }

  has(brandId: number, playerHash: bigint): boolean {
    return this.keyOf(brandId, playerHash) !== undefined;
  }
}
