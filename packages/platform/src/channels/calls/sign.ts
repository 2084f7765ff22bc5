import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Micros } from '@croupier/contracts';

/**
 * Signs a call to another system, so that its receiver can identify the caller and refuse replays of old calls:
 *
 *   X-Crm-Id         stable per message: a receiver that has processed it ignores repeats
 *   X-Crm-Timestamp  seconds since 1970, of this try; receivers refuse calls older than five minutes
 *   X-Crm-Signature  v1=<hex HMAC-SHA-256 of `id.timestamp.body`>
 *
 * @param prefix the brand setting `reference_prefix`
 */
export function signedHeaders(
  { id, body, secret, at }: { id: string; body: string; secret: string; at: number },
  prefix: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000_000));
  const names = headerNames(prefix);
  return {
    [names.id]: id,
    [names.timestamp]: timestamp,
    [names.signature]: signatureOf(secret, id, timestamp, body),
    'idempotency-key': id,
  };
}

/** A signed call may be this much older or newer than our clock. */
const tolerance: Micros = 300_000_000;

/** Whether a call to us is signed in the same way, with this secret, and at most five minutes old. */
export function isSignedCall(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { body, secret, at }: { body: Buffer; secret: string; at: Micros },
  prefix: string,
): boolean {
  const names = headerNames(prefix);
  const [id, timestamp, signature] = [headers[names.id], headers[names.timestamp], headers[names.signature]];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) * 1_000_000 - at) > tolerance) return false;
  const [right, given] = [Buffer.from(signatureOf(secret, id, timestamp, body)), Buffer.from(signature)];
  return right.length === given.length && timingSafeEqual(right, given);
}

function signatureOf(secret: string, id: string, timestamp: string, body: string | Buffer): string {
  return `v1=${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('hex')}`;
}

function headerNames(prefix: string) {
  const start = `x-${prefix.toLowerCase()}`;
  return { id: `${start}-id`, timestamp: `${start}-timestamp`, signature: `${start}-signature` };
}
