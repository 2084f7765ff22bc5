import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type WebPush from 'web-push';
import { type Brand, Unreadable, type Vault } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { library } from '../../library.ts';
import { insertPair, type KeyRow, lockPairs, readCurrent } from './key-store.ts';

/*
 * A brand's pairs of keys (RFC 8292): a device subscribes with a public key, and accepts only pushes that its private key has
 * signed.
 *
 *   --first requested------> current --rotated--> former --none of its devices is left--> gone
 *                               |                   |
 *                               '--rotated, and ----+---> revoked --its devices are removed--> gone
 *                                  revoked or unreadable
 *
 * There is one current pair, which changes only when a person rotates it (rotate-keys.ts). Pushes to a device of a former pair
 * are signed with that pair until its page is opened again: the page then sees another key, and subscribes again. key-upkeep.ts
 * deletes unused pairs.
 */
export interface VapidKeys {
  public_key: string;
  private_key: string;
}

const webPush = library<typeof WebPush>('web-push');

type BrandName = Pick<Brand, 'brand_id' | 'code'>;

/** A new pair, in stored form. */
export function makePair(vault: Vault, { code }: BrandName): Pick<KeyRow, 'public_key' | 'sealed'> {
  const { publicKey, privateKey } = webPush().generateVAPIDKeys();
  return { public_key: publicKey, sealed: vault.seal(code, { private_key: privateKey }) };
}

/** @returns null if it was sealed with another CROUPIER_SECRET */
export function openPair(
  vault: Vault,
  { code }: Pick<Brand, 'code'>,
  { public_key, sealed }: Pick<KeyRow, 'public_key' | 'sealed'>,
): VapidKeys | null {
  try {
    const { private_key } = vault.open(code, sealed) as { private_key: string };
    return { public_key, private_key };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/**
 * Maximum age of the current pairs that a process keeps in memory. For this long after a rotation, pages may get the former
 * key, and subscribe with it. They are moved to the current key at the next page view. If the former key is revoked, they are
 * refused. Signing does not use this memory: the key of a push is read in the transaction that begins it (send.ts).
 */
const staleAfter: Micros = 2_000_000;

/** The current public key of each brand, for pages that subscribe. */
export class BrandPushKeys {
  readonly #deps: { pool: Pool; vault: Vault; clock: Clock };
  /** Has at most one entry per brand. */
  readonly #known = new Map<number, { public_key: string; read_at: Micros }>();

  constructor(deps: { pool: Pool; vault: Vault; clock: Clock }) {
    this.#deps = deps;
  }

  /**
   * The public key with which devices subscribe; creates the pair if there is none. The private key is checked, and not kept.
   *
   * @throws {Unreadable} if it was sealed with another CROUPIER_SECRET
   */
  async of(brand: BrandName): Promise<string> {
    const { pool, vault, clock } = this.#deps;
    const read_at = clock();
    const known = this.#known.get(brand.brand_id);
    // The absolute value: a clock that was set back must not extend the time.
    if (known !== undefined && Math.abs(read_at - known.read_at) < staleAfter) return known.public_key;
    const row = (await readCurrent(pool, brand.brand_id)) ?? (await this.#makeFirst(brand));
    if (openPair(vault, brand, row) === null) throw new Unreadable(brand.code);
    const { public_key } = row;
    this.#known.set(brand.brand_id, { public_key, read_at });
    return public_key;
  }

  /** Makes this process use its own rotation immediately. */
  forget({ brand_id }: Pick<Brand, 'brand_id'>): void {
    this.#known.delete(brand_id);
  }

  /** If several processes create the first pair at once, only one is created. */
  async #makeFirst(brand: BrandName): Promise<KeyRow> {
    const { pool, vault, clock } = this.#deps;
    return transaction(pool, async (tx) => {
      await lockPairs(tx, brand.brand_id);
      const made = await readCurrent(tx, brand.brand_id);
      return made ?? insertPair(tx, brand.brand_id, makePair(vault, brand), clock());
    });
  }
}

/**
 * The contact for push services: the setting `push.contact`, or the brand's support contact if that is an address, or the
 * installation's own. Apple's service refuses anything but mailto: and https:.
 */
export function contactOf(settings: Pick<Brand['settings'], 'push' | 'support_contact'>, publicUrl: string): string {
  for (const text of [settings.push.contact, settings.support_contact, publicUrl]) {
    if (/^mailto:[^@\s]+@[^@\s]+$/.test(text) || /^https:\/\/\S+$/.test(text)) return text;
    if (/^[^@\s:/]+@[^@\s:/]+$/.test(text)) return `mailto:${text}`;
  }
  return `mailto:push@${URL.parse(publicUrl)?.hostname ?? 'localhost'}`;
}
