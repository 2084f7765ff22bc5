import type { DecimalText } from '../values.ts';
import { digitsOf, plainText } from './digits.ts';

/** An amount with more integer digits is an error (docs/reference/decisions.md 1, "Money"). */
export const maxIntegerDigits = 18;
/**
 * The smallest units in use are those of cryptocurrencies (18 digits). A number with more than 30 is noise such as
 * 1e-300.
 */
export const maxFractionDigits = 30;

export type DecimalRefusal = 'not_a_decimal' | 'negative' | 'too_many_digits';
export type DecimalReading = { ok: true; text: DecimalText } | { ok: false; why: DecimalRefusal };

/**
 * Reads a JSON number or a decimal text exactly, and returns the canonical text of a decimal of 0 or more.
 *
 * A number is read through its shortest text, which equals the sent text up to 15 digits. Longer numbers are already
 * text when they arrive here (see `parseBody`). Nothing is rounded: a number with too many digits is refused.
 */
export function readDecimal(value: unknown): DecimalReading {
  // Between these bounds, the shortest text of a number has no exponent and is canonical. Nearly all amounts take this
  // fast path.
  if (typeof value === 'number' && value >= 1e-6 && value < 1e18) return { ok: true, text: String(value) };
  const reading = readSignedDecimal(value);
  return reading.ok && reading.text.startsWith('-') ? { ok: false, why: 'negative' } : reading;
}

/** Does the same for a decimal that may be negative. */
export function readSignedDecimal(value: unknown): DecimalReading {
  if (value === 0) return { ok: true, text: '0' };
  const digits =
    typeof value === 'number'
      ? digitsOf(String(value))
      : typeof value === 'string'
        ? digitsOf(value.trim())
        : undefined;
  if (digits === undefined) return { ok: false, why: 'not_a_decimal' };
  const { significant, point } = digits;
  if (significant !== '' && (point > maxIntegerDigits || significant.length - point > maxFractionDigits))
    return { ok: false, why: 'too_many_digits' };
  return { ok: true, text: plainText(digits) };
}
