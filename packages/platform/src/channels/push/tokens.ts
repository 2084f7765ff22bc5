import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/*
 * Credentials of the script that shows pushes. It runs while the player's page is closed, so it has no session. Each token is
 * signed, and valid for one purpose and one row only:
 *
 *   click    <brand>.<delivery>.<tag>      the player clicked this push: marks only its message as read
 *   renewal  <brand>.<subscription>.<tag>  the browser changed the endpoint of this device
 *
 * They have no expiry, because a click token reveals nothing and can only mark one message as read. Both become invalid when
 * their rows are deleted.
 */
export type TokenPurpose = 'click' | 'renewal';

/** 128 bits: a tag can be guessed only by sending requests to the platform. */
const tagBytes = 16;

export class PushTokens {
  readonly #keys: Readonly<Record<TokenPurpose, readonly Buffer[]>>;

  /** @param secrets CROUPIER_SECRET, followed by earlier secrets whose tokens are still accepted */
  constructor({ secrets }: { secrets: readonly [string, ...string[]] }) {
    const keysFor = (purpose: TokenPurpose) =>
      secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', `croupier push ${purpose}`, 32)));
    this.#keys = { click: keysFor('click'), renewal: keysFor('renewal') };
  }

  write(purpose: TokenPurpose, brandId: number, rowId: number): string {
    const [key] = this.#keys[purpose];
    if (key === undefined) throw new Error('there is at least one secret');
    const text = `${brandId}.${rowId}`;
    return `${text}.${tagOf(key, text).toString('base64url')}`;
  }

  /** The row of this brand for which the token was created; null if the platform did not create it. */
  read(purpose: TokenPurpose, brandId: number, token: string): number | null {
    const [, brand, row, tag] = /^(\d{1,10})\.(\d{1,15})\.([\w-]{22})$/.exec(token) ?? [];
    if (brand !== String(brandId) || row === undefined || tag === undefined) return null;
    const given = Buffer.from(tag, 'base64url');
    const fits = this.#keys[purpose].map((key) => timingSafeEqual(tagOf(key, `${brand}.${row}`), given));
    return fits.includes(true) ? Number(row) : null;
  }
}

function tagOf(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, tagBytes);
}
