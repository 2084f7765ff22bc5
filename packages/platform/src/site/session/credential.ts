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
 * wherever the test user is admitted (docs/reference/decisions.md 8). What remains is a JWT where the brand has a secret for them, else a sid.
 */
export function kindOf(brand: Brand, credential: string): CredentialKind {
  if (credential.length > maxLength || !isPlain(credential)) return 'nonsense';
  if (typeOf(credential) === tokenType) return 'auth_token';
  if (brand.test_user !== null && isSame(brand.test_user.sid, credential)) return 'test_user';
  return brand.site_jwt === null ? 'sid' : 'jwt';
}

/**
 * What names the session that a credential proves: of a JWT the header and payload, the part that is signed. Its signature can be written
 * in several ways (the last base64url character has bits that decoders drop, and so is padding), all of which verify, so the text of
 * a JWT names nothing. A sid means something to its operator only: its text is the name.
 */
export function sessionNameOf(kind: CredentialKind, credential: string): string {
  return kind === 'jwt' ? credential.slice(0, credential.lastIndexOf('.')) : credential;
}

/** The hash of a name of a session, or of a credential: nobody reads a sid in memory or in the database. */
export function hashOf(brandId: number, name: string): string {
  return createHash('sha256').update(`${brandId}\n${name}`).digest('base64url');
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
