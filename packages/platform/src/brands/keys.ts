import { hash, randomBytes } from 'node:crypto';

/*
 * API keys: 192 random bits behind a prefix that secret scanners can know. Only the SHA-256 is stored (docs/reference/decisions.md 1): a
 * key of that strength needs no slow hash, nobody finds it by trying.
 *
 * Looking a key up by its hash leaks nothing through timing: what a stranger could learn is how the hash of his guess
 * compares with stored hashes, and that brings him no nearer to a key.
 */
export function newKey(): string {
  return `crk_${randomBytes(24).toString('base64url')}`;
}

export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
