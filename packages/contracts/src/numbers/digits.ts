/**
 * A decomposed decimal number: 0.`significant` x 10^`point`. `significant` has no zero at either end, and is empty for
 * zero.
 */
export interface Digits {
  negative: boolean;
  significant: string;
  point: number;
}

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const zero = 48;

/** Decomposes a number from its text, exactly and with any length. Returns undefined if it is not a decimal number. */
export function digitsOf(text: string): Digits | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  if (digits === '') return undefined;
  // This is a loop, because a pattern such as /0+$/ restarts at every zero. It would take minutes for a number of a
  // million digits.
  let first = 0;
  while (first < digits.length && digits.charCodeAt(first) === zero) first++;
  let end = digits.length;
  while (end > first && digits.charCodeAt(end - 1) === zero) end--;
  return {
    negative: sign === '-',
    significant: digits.slice(first, end),
    point: whole.length - first + Number(exponent),
  };
}

/** The number without an exponent. The text is about as long as `point`, so the caller must limit `point`. */
export function plainText({ negative, significant, point }: Digits): string {
  if (significant === '') return '0';
  const sign = negative ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${significant}`;
  if (point >= significant.length) return sign + significant + '0'.repeat(point - significant.length);
  return `${sign}${significant.slice(0, point)}.${significant.slice(point)}`;
}
