import { hash } from 'node:crypto';
import { type Bucket, bucketCount } from './ledger.ts';

/**
 * A player's number in the ledger, known before the player is: the first 8 bytes of SHA-256 over brand and user_id.
 * Two players may share one (at 10 million players the odds are 1 in 370,000), so it narrows a search and the body decides.
 * Through hex, because `crypto.hash` makes that three times faster than a Buffer of its own.
 */
export function playerHash(brandId: number, userId: string): bigint {
  return BigInt(`0x${hash('sha256', `${brandId}:${userId}`, 'hex').slice(0, 16)}`);
}

/** The bucket of a player, a message, a decision or whatever else is a player's, read from its id (docs/decisions/1203). */
export function bucketOfId(id: number): Bucket {
  return id % bucketCount;
}

/** hash(brand, user_id) mod 64 (docs/reference/design.md 3). */
export function bucketOf(playerHash: bigint): Bucket {
  return Number(playerHash % BigInt(bucketCount));
}
