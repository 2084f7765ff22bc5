import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/*
 * Credentials of the script that shows pushes. It runs when the player's page is closed, so it has no session; each token is signed, good
 * for one thing and one row, and worth nothing anywhere else:
 *
 *   click    <brand>.<delivery>.<tag>      this push was pressed: marks its message as read, and no other
 *   renewal  <brand>.<subscription>.<tag>  the browser gave this device another endpoint
 *
 * They do not expire by themselves: a click token reveals nothing and can only mark one message as read; both die with their rows.
 */
export type TokenPurpose = 'click' | 'renewal';

/** 128 bits: nobody can try tags but by calling us. */
const tagBytes = 16;

export class PushTokens {
  readonly #keys: Readonly<Record<TokenPurpose, readonly Buffer[]>>;

  /** @param secrets CROUPIER_SECRET, and then those of earlier, whose tokens are still believed. */
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

  /** The row of this brand that the token is for; null when we did not write it. */
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
