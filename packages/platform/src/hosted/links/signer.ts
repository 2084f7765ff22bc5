import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { fromBase62, toBase62 } from '../../base62.ts';

/**
 * Signs bytes for one purpose: `payload | first bytes of HMAC-SHA256(key of the purpose, payload)`, as one base62 text.
 *
 * Each purpose has its own key, derived from CROUPIER_SECRET (HKDF), so a token for one purpose is never valid for
 * another. Signatures of earlier secrets are still accepted, so that links from years ago still work after the secret
 * was changed.
 */
export class Signer {
  readonly #tagBytes: number;
  readonly #keys: readonly Buffer[];

  /**
   * @param secrets the secret that signs, followed by secrets whose signatures are still accepted
   * @param tagBytes 10 (80 bits) to 32. A tag can be guessed only by sending requests: at 10,000 tries a second, 80 bits take
   * 10^12 years.
   */
  constructor(options: { secrets: readonly [string, ...string[]]; purpose: string; tagBytes: number }) {
    this.#tagBytes = options.tagBytes;
    const info = `croupier ${options.purpose}`;
    this.#keys = options.secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', info, 32)));
  }

  /** @param payload its first byte must not be 0 */
  sign(payload: Buffer): string {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('a signer requires at least one secret');
    return toBase62(Buffer.concat([payload, this.#tag(key, payload)]));
  }

  /** The payload; null if none of the secrets signed this text. Texts of one length all take the same time. */
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
