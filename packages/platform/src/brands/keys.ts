import { hash, randomBytes } from 'node:crypto';

/*
 * An API key consists of a prefix that secret scanners can recognize, and 192 random bits. Only its SHA-256 is stored
 * (docs/reference/decisions.md 1): a key of that strength cannot be guessed, so it needs no slow hash.
 *
 * Looking up a key by its hash leaks nothing through timing: an attacker could only learn how the hash of a guess
 * compares with stored hashes, which does not help to find a key.
 */
export function newKey(): string {
  return `crk_${randomBytes(24).toString('base64url')}`;
}

export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
