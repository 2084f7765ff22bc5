import { hash } from 'node:crypto';
import { type Bucket, bucketCount } from './ledger.ts';

/**
 * A player's number in the ledger, which does not require a player row: the first 8 bytes of SHA-256 over brand and
 * user_id. Two players may share one (at 10 million players the odds are 1 in 370,000), so it narrows a search, and the user_id in the body
 * decides. It is made from hex, because `crypto.hash` is three times faster with hex than with a Buffer.
 */
export function playerHash(brandId: number, userId: string): bigint {
  return BigInt(`0x${hash('sha256', `${brandId}:${userId}`, 'hex').slice(0, 16)}`);
}

/**
 * The bucket of anything that belongs to a player (player, message, decision), read from its id (docs/decisions/1203).
 */
export function bucketOfId(id: number): Bucket {
  return id % bucketCount;
}

/** hash(brand, user_id) mod 64 (docs/reference/design.md 3). */
export function bucketOf(playerHash: bigint): Bucket {
  return Number(playerHash % BigInt(bucketCount));
}
