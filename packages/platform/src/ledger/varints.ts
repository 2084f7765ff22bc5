/*
 * Columns of whole numbers as variable-length bytes: seven bits per byte, the lowest first; the high bit means that
 * more follow. Numbers go up to 2^53, so everything above 31 bits is computed with division instead of shifts.
 */

export class VarintWriter {
  #bytes: Buffer = Buffer.allocUnsafe(4096);
  #length = 0;

  /** @param value whole, 0 to 2^53 - 1 */
  push(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    let rest = value;
    for (; rest >= 0x8000_0000; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  /** @param value whole, between -2^52 and 2^52; numbers near 0, positive or negative, are short */
  pushSigned(value: number): void {
    this.push(value >= 0 ? value * 2 : -value * 2 - 1);
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

export class VarintReader {
  #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws {RangeError} at the end of the bytes */
  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the bytes end within a number');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  nextSigned(): number {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
