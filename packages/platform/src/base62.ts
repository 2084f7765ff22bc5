/**
 * Encodes bytes as digits and letters. base64url would be a character shorter, but phones and mail programs that recognize
 * links leave out a `-` or `_` at the end. The player would then arrive with an incomplete token.
 *
 * The first byte must not be 0. Then each text encodes exactly one sequence of bytes, and each sequence has one text.
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
const values = new Map([...digits].map((digit, value) => [digit, BigInt(value)]));

/**
 * Maximum number of digits. Longer texts are not tokens of the platform. The limit is necessary because the cost of decoding grows
 * with the square of the length.
 */
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
