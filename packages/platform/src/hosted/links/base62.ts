/**
 * Bytes as digits and letters. Not base64url, although it would be a character shorter: phones and mail programs that make
 * a link of what looks like one leave `-` or `_` at its end out, and the player would arrive with a token that was cut.
 *
 * The first byte must not be 0: then each text stands for exactly one sequence of bytes, and each sequence for one text.
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
const values = new Map([...digits].map((digit, value) => [digit, BigInt(value)]));

/** Longer texts are no tokens of ours, and the arithmetic grows with the square of their length. */
const mostDigits = 100;

export function toBase62(bytes: Buffer): string {
  if (bytes[0] === 0) throw new Error('the first byte of a token is not 0');
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = digits[Number(rest % base)] + text;
    rest /= base;
  }
  return text;
}

/** Null for a text that `toBase62` never writes. */
export function fromBase62(text: string): Buffer | null {
  if (text === '' || text.length > mostDigits || text.startsWith('0')) return null;
  let number = 0n;
  for (const digit of text) {
    const value = values.get(digit);
    if (value === undefined) return null;
    number = number * base + value;
  }
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
