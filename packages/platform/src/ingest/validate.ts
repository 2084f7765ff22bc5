import { isUtf8 } from 'node:buffer';
import { type EventKind, type FieldError, type Micros, parseBody, readEvent } from '@croupier/contracts';
import type { Brand } from '../brands/index.ts';
import { type LedgerEntry, playerHash } from '../ledger/index.ts';

export type Validation =
  | { ok: true; entry: LedgerEntry; user_id: string }
  | { ok: false; errors: FieldError[]; user_id: string | null };

/**
 * Decides whether a body may enter the ledger. Pure. It keeps only the player of the parsed event: the ledger stores
 * the operator's bytes, and derive parses them again by the rules of its version.
 */
export function validate(brand: Brand, kind: EventKind, body: Buffer, receivedAt: Micros): Validation {
  if (!isUtf8(body)) {
    const message = 'The body must be UTF-8, as JSON requires (RFC 8259, section 8.1).';
    return { ok: false, errors: [{ path: '', rule: 'utf8', message }], user_id: null };
  }
  const parsed = parseBody(body.toString('utf8'));
  if (!parsed.ok) return { ok: false, errors: [parsed.error], user_id: null };
  const read = readEvent(kind, parsed.body, {
    now: receivedAt,
    zoneless_timestamps: brand.settings.zoneless_timestamps,
    base_currency: brand.settings.base_currency,
    reference_prefix: brand.settings.reference_prefix,
  });
  if (!read.ok) return { ok: false, errors: read.errors, user_id: userIdOf(parsed.body) };
  return {
    ok: true,
    user_id: read.event.user_id,
    entry: {
      brand_id: brand.brand_id,
      kind,
      player_hash: playerHash(brand.brand_id, read.event.user_id),
      received_at: receivedAt,
      body,
    },
  };
}

/**
 * The players to whom a user_id of an invalid event may belong: as it was sent, and without blanks around it. Ids are
 * compared exactly, but blanks in an invalid event may be a part of what is wrong with it.
 */
export function playersNamed(userId: string): string[] {
  return [...new Set([userId, userId.trim()])].filter((name) => name !== '');
}

/** The user_id of an otherwise invalid body, so that the body can be found by its player. */
function userIdOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('user_id' in body)) return null;
  const { user_id } = body;
  if (typeof user_id === 'number') return String(user_id);
  // PostgreSQL text cannot contain NUL. An id with one is invalid anyway.
  return typeof user_id === 'string' && user_id.length <= 255 && !user_id.includes('\0') ? user_id : null;
}
