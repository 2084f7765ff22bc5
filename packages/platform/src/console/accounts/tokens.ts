import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Distinguishes a session token from an API key if one of them is found in an unexpected place. */
const prefix = 'crs_';
const tokenBytes = 32;

/** A session token: 256 random bits, so a plain hash of it can be stored. */
export function newSessionToken(): { token: string; sha256: Buffer } {
  const token = prefix + randomBytes(tokenBytes).toString('base64url');
  return { token, sha256: sha256(token) };
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** True if both texts are equal. Takes the same time wherever they differ and however long they are. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

/**
 * The token of an `Authorization: Bearer <token>` header, null for anything else. The admin token may contain any
 * character except blanks.
 */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
