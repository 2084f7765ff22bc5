import { hash } from 'node:crypto';
import type { EventKind } from './kinds.ts';

/**
 * JSON text that depends only on what a body says: keys in code-unit order, no spaces, numbers in their shortest form (long
 * ones are text already, see `parseBody`). Two bodies with the same canonical text are the same message.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
}

/** 16 bytes of SHA-256 over brand, endpoint and canonical body (decisions.md 2.2). `body` comes from `parseBody`. */
export function fingerprint(brandId: number, kind: EventKind, body: unknown): Buffer {
  return hash('sha256', `${brandId}\n${kind}\n${canonicalJson(body)}`, 'buffer').subarray(0, 16);
}
