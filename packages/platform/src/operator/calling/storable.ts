export type JsonObject = Record<string, unknown>;

/*
 * Converts operators' texts so that PostgreSQL can store them: it stores neither NUL nor half a surrogate pair. Neither occurs in
 * valid names or notes.
 */

export function storableText(text: string): string {
  const clean = text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}

/** The beginning of a text, in storable form. The text is shortened first, because this may leave half a surrogate pair. */
export function storableStart(text: string, maxLength: number): string {
  return storableText(text.slice(0, maxLength));
}

const maxDetail = 300;

/** For details of failures: texts of operators and of the network, of any length and content. */
export function storableDetail(detail: string): string {
  return storableStart(detail, maxDetail);
}

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
