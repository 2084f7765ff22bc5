import type { JsonObject } from './judgement.ts';

/** PostgreSQL texts hold neither NUL nor half a surrogate pair. Neither says anything in a name or a note. */
export function storableText(text: string): string {
  const clean = text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}

const maxDepth = 20;
const maxJsonLength = 16 * 1024;

/** Free keys and values of the operator's, made storable; undefined where they are too deep or too large to keep. */
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
