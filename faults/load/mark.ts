import { hash } from 'node:crypto';

/**
 * Identifies a message by its path and body, byte for byte. The publisher records the same mark for acknowledged messages, so
 * that its list, the sent messages and the ledger can be compared.
 */
export function markOf(path: string, body: string | Buffer): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return hash('sha256', Buffer.concat([Buffer.from(`${path}\n`), bytes]), 'hex').slice(0, 32);
}
