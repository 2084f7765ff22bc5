import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Tells a token of ours from an API key when one of them is found where it should not be. */
const prefix = 'crs_';
const tokenBytes = 32;

/** A session token: 256 random bits, so that a plain hash of it is enough to store. */
export function newSessionToken(): { token: string; sha256: Buffer } {
  const token = prefix + randomBytes(tokenBytes).toString('base64url');
  return { token, sha256: sha256(token) };
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** True when the two are the same text. Takes the same time wherever they differ and however long they are. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

/** The token of an `Authorization: Bearer <token>` header, null for anything else. The admin token may hold any character. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
