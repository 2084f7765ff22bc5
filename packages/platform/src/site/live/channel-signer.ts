import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Brand } from '../../brands/index.ts';

/**
 * The proof that a socket may subscribe to a channel, as defined by the Pusher protocol:
 *
 *   auth = <key of the app>:<HMAC-SHA256(secret of the app, socket_id:channel) in hex>
 *
 * The app is the brand. Its key is the brand's code, because every page contains the code anyway, and no other key has to be
 * stored, rotated or requested. Its secret is derived from CROUPIER_SECRET (HKDF), one per brand, and never leaves the process.
 * Signatures with earlier secrets are still accepted. A proof is valid for one socket only, and each socket belongs to one process.
 */
export class ChannelSigner {
  readonly #secrets: readonly string[];
  /** One entry per brand. */
  readonly #keys = new Map<number, readonly Buffer[]>();

  /** @param options.secrets the secret that signs, followed by secrets whose signatures are still accepted */
  constructor(options: { secrets: readonly [string, ...string[]] }) {
    this.#secrets = options.secrets;
  }

  sign(brand: Pick<Brand, 'brand_id' | 'code'>, socketId: string, channel: string): string {
    const [key] = this.#keysOf(brand.brand_id);
    if (key === undefined) throw new Error('a signer requires at least one secret');
    return `${brand.code}:${tag(key, socketId, channel).toString('hex')}`;
  }

  isRight(
    brand: Pick<Brand, 'brand_id' | 'code'>,
    proof: { socketId: string; channel: string; auth: string },
  ): boolean {
    const { socketId, channel, auth } = proof;
    const given = /^([^:]+):([0-9a-f]{64})$/i.exec(auth);
    if (given?.[1] !== brand.code) return false;
    const bytes = Buffer.from(given[2] ?? '', 'hex');
    const fits = this.#keysOf(brand.brand_id).map((key) => timingSafeEqual(tag(key, socketId, channel), bytes));
    return fits.includes(true);
  }

  #keysOf(brandId: number): readonly Buffer[] {
    const known = this.#keys.get(brandId);
    if (known !== undefined) return known;
    const info = `croupier site channel ${brandId}`;
    const keys = this.#secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', info, 32)));
    this.#keys.set(brandId, keys);
    return keys;
  }
}

function tag(key: Buffer, socketId: string, channel: string): Buffer {
  return createHmac('sha256', key).update(`${socketId}:${channel}`).digest();
}
