import { createHash } from 'node:crypto';
import type { EventKind } from '@croupier/contracts';

/**
 * The sandbox's own implementation of docs/reference/decisions.md 2.2: the hash of brand, endpoint and canonical body (keys
 * sorted, numbers in their shortest form). The casino needs it only to decide between two approvals with the same key and the
 * same timestamp: the one with the smaller fingerprint is in force. A test compares it with the platform's.
 */
export function fingerprint(brandId: number, kind: EventKind, body: string): string {
  return createHash('sha256')
    .update(`${brandId}\n${kind}\n${canonical(JSON.parse(body))}`)
    .digest('hex')
    .slice(0, 32);
}

/**
 * Returns the canonical text of a value. It is correct for numbers with at most 15 digits. The casino's conflicts contain no
 * others.
 */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
}
