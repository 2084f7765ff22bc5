import { createHmac } from 'node:crypto';

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
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('hex');
  return {
    [`x-${prefix.toLowerCase()}-id`]: id,
    [`x-${prefix.toLowerCase()}-timestamp`]: timestamp,
    [`x-${prefix.toLowerCase()}-signature`]: `v1=${signature}`,
    'idempotency-key': id,
  };
}
