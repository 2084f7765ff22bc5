import { hash } from 'node:crypto';

/**
 * Tells one message from another by what was sent: path and body, byte for byte. The same that the publisher notes for
 * what was acknowledged, so that its list, what was sent and what the ledger holds can be laid side by side.
 */
export function markOf(path: string, body: string | Buffer): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return hash('sha256', Buffer.concat([Buffer.from(`${path}\n`), bytes]), 'hex').slice(0, 32);
}
