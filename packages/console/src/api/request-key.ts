/**
 * Returns a new value for the header Idempotency-Key. `crypto.randomUUID` is missing on pages that are served by http from
 * another host than localhost.
 */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
