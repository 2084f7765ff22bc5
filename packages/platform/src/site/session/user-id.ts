const maxIdLength = 255;

/** An id as operators send it: a text, or an integer that JSON did not round (docs/reference/decisions.md 1, "Ids"). */
export function readUserId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxIdLength) return undefined;
  return value.includes('\u0000') || !value.isWellFormed() ? undefined : value;
}
