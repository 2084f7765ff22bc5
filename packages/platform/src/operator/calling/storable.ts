import { storableText } from '../../database/index.ts';

export { storableDetail, storableStart, storableText } from '../../database/index.ts';

export type JsonObject = Record<string, unknown>;

/** Replaces a text that the database refused anyway. This is a bug of the platform, and must affect only that text. */
export const refusedDetail = 'the database refused the values';

/** Data exceptions and violated constraints (SQLSTATE classes 22, 23) concern a row. All other errors concern the database. */
export function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('22') || code.startsWith('23');
}

const maxDepth = 20;
const maxJsonLength = 16 * 1024;

/** Makes free keys and values of the operator storable; undefined if they are too deep or too large. */
export function storableObject(object: JsonObject): JsonObject | undefined {
  const clean = storable(object, 0);
  if (clean === undefined || JSON.stringify(clean).length > maxJsonLength) return undefined;
  return clean as JsonObject;
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return undefined;
  const entries: [string, unknown][] = [];
  for (const [key, entry] of Object.entries(value)) {
    const clean = storable(entry, depth + 1);
    if (clean === undefined) return undefined;
    entries.push([storableText(key), clean]);
  }
  return Array.isArray(value) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
}
