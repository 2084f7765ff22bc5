import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { fromBase62, toBase62 } from './base62.ts';

/**
 * Signs bytes for one purpose: `payload | first bytes of HMAC-SHA256(key of the purpose, payload)`, as one base62 text.
 *
 * Each purpose has a key of its own, derived from CROUPIER_SECRET (HKDF): a token made for one purpose is worth nothing
 * for another, whatever its bytes. What secrets of earlier have signed is still taken, so that the secret can be changed
 * although links of years ago must go on working.
 */
export class Signer {
  readonly #tagBytes: number;
  readonly #keys: readonly Buffer[];

  /**
   * @param secrets the one that signs, and then those that are only believed.
   * @param tagBytes 10 (80 bits) to 32. Nobody can try tags but by calling us: at 10,000 tries a second all the while, 80
   *   bits are found after 10^12 years.
   */
  constructor(options: { secrets: readonly [string, ...string[]]; purpose: string; tagBytes: number }) {
    this.#tagBytes = options.tagBytes;
    const info = `croupier ${options.purpose}`;
    this.#keys = options.secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', info, 32)));
  }

  /** @param payload its first byte is not 0. */
  sign(payload: Buffer): string {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('a signer has at least one secret');
    return toBase62(Buffer.concat([payload, this.#tag(key, payload)]));
  }

  /** The payload; null when none of the secrets signed this text. Every text of a length takes the same time. */
  open(token: string): Buffer | null {
    const bytes = fromBase62(token);
    if (bytes === null || bytes.length <= this.#tagBytes) return null;
    const payload = bytes.subarray(0, -this.#tagBytes);
    const tag = bytes.subarray(-this.#tagBytes);
    const fits = this.#keys.map((key) => timingSafeEqual(this.#tag(key, payload), tag));
    return fits.includes(true) ? payload : null;
  }

  #tag(key: Buffer, payload: Buffer): Buffer {
    return createHmac('sha256', key).update(payload).digest().subarray(0, this.#tagBytes);
  }
}
