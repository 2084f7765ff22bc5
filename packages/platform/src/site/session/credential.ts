import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import type { Brand } from '../../brands/index.ts';
import { tokenType } from './auth-tokens.ts';

/** Longer than any sid or JWT of an operator. A header may have 16 KiB. */
const maxLength = 4_096;

/** What a credential claims to be. Pure; nothing is believed yet. */
export type CredentialKind = 'auth_token' | 'test_user' | 'jwt' | 'sid' | 'nonsense';

/**
 * A token of ours is known by its type, so it never travels to an operator, good or bad. The test user's sid does not either,
 * wherever the test user is admitted (decisions.md 8). What remains is a JWT where the brand has a secret for them, else a sid.
 */
export function kindOf(brand: Brand, credential: string): CredentialKind {
  if (credential.length > maxLength || !isPlain(credential)) return 'nonsense';
  if (typeOf(credential) === tokenType) return 'auth_token';
  if (brand.test_user !== null && isSame(brand.test_user.sid, credential)) return 'test_user';
  return brand.site_jwt === null ? 'sid' : 'jwt';
}

/** The name of a session in memory and in the database: nobody reads a sid there. */
export function hashOf(brandId: number, credential: string): string {
  return createHash('sha256').update(`${brandId}\n${credential}`).digest('base64url');
}

/** Header fields are Latin-1; what is not printable ASCII is no sid of anybody. */
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

/** Hashes have one length, and comparing them tells nothing of how much was right. */
function isSame(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
