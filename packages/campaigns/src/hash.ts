import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns a number from 0 to 9999. The numbers of all seeds are uniformly distributed. The number of a seed is the same on every call. */
export function place(seed: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = sha256(utf8ToBytes(seed));
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % 10_000;
}

/** Whether a player is in this percentage of all players. If the percentage grows, these players stay in it. */
export function isInShare(seed: string, percent: number): boolean {
  return place(`share ${seed}`) < percent * 100;
}
