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
  for (const { key, head } of inOrder(Object.keys(object))) {
    const value = object[key];
    if (value === undefined) continue;
    members += members === '' ? head : `,${head}`;
    members += typeof value === 'string' ? JSON.stringify(value) : canonicalJson(value);
  }
  return `{${members}}`;
}

interface Name {
  key: string;
  /** The name as JSON and its colon. */
  head: string;
}

/**
 * An operator names the fields of a kind of message in the same order every time, so each order is sorted once: 4 microseconds for
 * the usual body instead of 5.3.
 */
const maxOrders = 1_000;
/** Of more names than a message of the interface has, every message may have others. */
const maxNames = 100;
const maxLength = 2_000;
const orders = new Map<string, readonly Name[]>();

function inOrder(keys: string[]): readonly Name[] {
  // Objects whose names join to the same text although they differ have a line break in one, so in the remembered one: it is left out.
  const joined = keys.join('\n');
  const known = orders.get(joined);
  if (known !== undefined && known.length === keys.length) return known;
  const names = keys.sort().map((key) => ({ key, head: `${JSON.stringify(key)}:` }));
  if (keys.length > maxNames || joined.length > maxLength || keys.some((key) => key.includes('\n'))) return names;
  if (orders.size >= maxOrders) orders.clear();
  orders.set(joined, names);
  return names;
}

/**
 * 16 bytes of SHA-256 over brand, endpoint and canonical body (docs/reference/decisions.md 2.2). `body` comes from `parseBody`.
 * The digest goes through hex because `crypto.hash` makes that three times faster than a Buffer of its own (0.6 and 1.8 us).
 */
export function fingerprint(brandId: number, kind: EventKind, body: unknown): Buffer {
  return Buffer.from(hash('sha256', `${brandId}\n${kind}\n${canonicalJson(body)}`, 'hex').slice(0, 32), 'hex');
}
