import type { DecimalText } from '../values.ts';

/** A money amount with more integer digits is a mistake, not a fortune (decisions.md 1, "Money"). */
export const maxIntegerDigits = 18;
/** The finest units in use are those of crypto currencies (18 digits); beyond 30 a number is noise such as 1e-300. */
export const maxFractionDigits = 30;

export type DecimalRefusal = 'not_a_decimal' | 'negative' | 'too_many_digits';
export type DecimalReading = { ok: true; text: DecimalText } | { ok: false; why: DecimalRefusal };

const notADecimal: DecimalReading = { ok: false, why: 'not_a_decimal' };
const negative: DecimalReading = { ok: false, why: 'negative' };
const tooManyDigits: DecimalReading = { ok: false, why: 'too_many_digits' };

/**
 * Reads a JSON number or a decimal text, exactly, as the canonical text of a decimal that is zero or more.
 *
 * A number is read through its shortest text, which is the text that was sent as long as that had at most 15 digits;
 * longer ones arrive as text already (see `parseBody`). Nothing is rounded: what does not fit is refused.
 */
export function readDecimal(value: unknown): DecimalReading {
  // Between these bounds the shortest text of a number has no exponent and is canonical: the happy path of every amount.
  if (typeof value === 'number' && value >= 1e-6 && value < 1e18) return { ok: true, text: String(value) };
  if (value === 0) return { ok: true, text: '0' };
  if (typeof value === 'number') return Number.isFinite(value) ? readDecimalText(String(value)) : notADecimal;
  if (typeof value === 'string') return readDecimalText(value.trim());
  return notADecimal;
}

const decimalForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

function readDecimalText(text: string): DecimalReading {
  if (text.length > 400) return notADecimal;
  const match = decimalForm.exec(text);
  if (match === null) return notADecimal;
  const [, sign, whole = '', fraction = '', exponent] = match;
  if (whole === '' && fraction === '') return notADecimal;
  const digits = whole + fraction;
  const point = whole.length + (exponent === undefined ? 0 : Number(exponent));
  return canonical(digits, point, sign === '-');
}

/** The number 0.`digits` x 10^`point`. */
function canonical(digits: string, point: number, isNegative: boolean): DecimalReading {
  let first = 0;
  while (digits.charCodeAt(first) === 48) first++;
  if (first === digits.length) return { ok: true, text: '0' };
  if (isNegative) return negative;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  const significant = digits.slice(first, end);
  const place = point - first;
  if (place > maxIntegerDigits || significant.length - place > maxFractionDigits) return tooManyDigits;
  if (place <= 0) return { ok: true, text: `0.${'0'.repeat(-place)}${significant}` };
  if (place >= significant.length) return { ok: true, text: significant + '0'.repeat(place - significant.length) };
  return { ok: true, text: `${significant.slice(0, place)}.${significant.slice(place)}` };
}
