import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import type { Brand } from '../../brands/index.ts';
import { tokenType } from './auth-tokens.ts';

/** Longer than any sid or JWT of an operator. A header may have 16 KiB. */
const maxLength = 4_096;

/** The kind of a credential. Pure; nothing is verified yet. */
export type CredentialKind = 'auth_token' | 'test_user' | 'jwt' | 'sid' | 'nonsense';

/**
 * A token of the platform is recognized by its type, so it is never sent to an operator, even if it is invalid. The
 * test user's sid is not sent either, if the test user may sign in (docs/reference/decisions.md 8). Anything else is a
 * JWT if the brand has a secret for them, and otherwise a sid.
 */
export function kindOf(brand: Brand, credential: string): CredentialKind {
  if (credential.length > maxLength || !isPlain(credential)) return 'nonsense';
  if (typeOf(credential) === tokenType) return 'auth_token';
  if (brand.test_user !== null && isSame(brand.test_user.sid, credential)) return 'test_user';
  return brand.site_jwt === null ? 'sid' : 'jwt';
}

/**
 * Returns the text that identifies the session of a credential. For a JWT it is header and payload, the signed part. A signature can be
 * written in several ways that all verify, because decoders ignore padding and some bits of the last base64url character. So the full
 * text of a JWT does not identify the session. A sid has a meaning only for its operator, so its whole text identifies the session.
 */
export function sessionNameOf(kind: CredentialKind, credential: string): string {
  return kind === 'jwt' ? credential.slice(0, credential.lastIndexOf('.')) : credential;
}

/**
 * The hash of a session's name, or of a credential. Only the hash is stored, so that no sid can be read from memory or
 * from the database.
 */
export function hashOf(brandId: number, name: string): string {
  return createHash('sha256').update(`${brandId}\n${name}`).digest('base64url');
}

/** Header fields are Latin-1. A text with characters other than printable ASCII is not a sid. */
function isPlain(credential: string): boolean {
  return /^[\x21-\x7e]+$/.test(credential);
}

function typeOf(credential: string): string | undefined {
  try {
    return decodeProtectedHeader(credential).typ;
  } catch {
    return undefined;
  }
}

/** Compares hashes, which all have the same length, so that the duration does not reveal how many characters were right. */
function isSame(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
