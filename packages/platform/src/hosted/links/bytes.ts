/*
 * Encodes whole numbers in as few bytes as possible (LEB128): 7 bits per byte, lowest first, with the high bit set on all but
 * the last. Numbers are 0 to 2^53 - 1.
 */
export function writeNumber(into: number[], value: number): void {
  let rest = BigInt(value);
  while (rest > 127n) {
    into.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  into.push(Number(rest));
}

/** Reads numbers one after the other. A number is null if the bytes end within it, or it is larger than 2^53 - 1. */
export class NumberReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): number | null {
    let value = 0n;
    for (let shift = 0n; shift < 56n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) return null;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
    }
    return null;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }
}
