import type { DecimalText } from '@croupier/contracts';

/** Available in Node since 21; the type library does not include it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** A decimal that JSON.stringify writes as a number, digit for digit. A double would round from the 16th digit on. */
export function exactNumber(decimal: DecimalText): unknown {
  return rawJSON(decimal);
}
