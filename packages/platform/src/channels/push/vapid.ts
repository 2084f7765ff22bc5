import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import webPush from 'web-push';
import { type Brand, Unreadable, type Vault } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { insertPair, type KeyRow, lockPairs, readCurrent } from './key-store.ts';

/*
 * A brand's pairs of keys (RFC 8292): devices subscribe with a public one, and take pushes that its private one has signed, and no others.
 *
 *   --somebody first asks--> current --rotated--> former --none of its devices is left--> gone
 *                               |                   |
 *                               '--rotated, and ----+---> revoked --its devices are removed--> gone
 *                                  revoked or unreadable
 *
 * There is one current pair, and it changes only when a person has it changed (rotate-keys.ts). A device of a former pair is signed for with
 * that one until its page is viewed again: the page sees another key, and subscribes anew. Pairs go with key-upkeep.ts.
 */
export interface VapidKeys {
  public_key: string;
  private_key: string;
}

type BrandName = Pick<Brand, 'brand_id' | 'code'>;

/** A new pair, as it is stored. */
export function makePair(vault: Vault, { code }: BrandName): Pick<KeyRow, 'public_key' | 'sealed'> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return { public_key: publicKey, sealed: vault.seal(code, { private_key: privateKey }) };
}

/** @returns null when it was sealed with another CROUPIER_SECRET. */
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
 * How old what a process knows of current pairs may be. For so long after a rotation its pages are told the former key: they subscribe
 * with it, say so, and are moved at the next page view; or are refused, when it is revoked. Nothing is signed from here: what a push is
 * signed with is read in the transaction that begins it (send.ts).
 */
const staleAfter: Micros = 2_000_000;

/** The current public key of each brand, for pages that ask which one to subscribe with. */
export class BrandPushKeys {
  readonly #deps: { pool: Pool; vault: Vault; clock: Clock };
  /** Never larger than the number of brands. */
  readonly #known = new Map<number, { public_key: string; read_at: Micros }>();

  constructor(deps: { pool: Pool; vault: Vault; clock: Clock }) {
    this.#deps = deps;
  }

  /**
   * The public key that devices subscribe with; the pair is made where there is none. The private one is looked at, and not kept.
   *
   * @throws {Unreadable} when it was sealed with another CROUPIER_SECRET.
   */
  async of(brand: BrandName): Promise<string> {
    const { pool, vault, clock } = this.#deps;
    const read_at = clock();
    const known = this.#known.get(brand.brand_id);
    // A clock that was set back makes nothing last longer.
    if (known !== undefined && Math.abs(read_at - known.read_at) < staleAfter) return known.public_key;
    const row = (await readCurrent(pool, brand.brand_id)) ?? (await this.#makeFirst(brand));
    if (openPair(vault, brand, row) === null) throw new Unreadable(brand.code);
    const { public_key } = row;
    this.#known.set(brand.brand_id, { public_key, read_at });
    return public_key;
  }

  /** This process follows a rotation of its own at once. */
  forget({ brand_id }: Pick<Brand, 'brand_id'>): void {
    this.#known.delete(brand_id);
  }

  /** Processes that do it at once make one. */
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
 * Whom a push service may write to about our pushes: the setting `push.contact`, else the brand's support contact where that is an address,
 * else the installation's own. Apple's service refuses what is neither mailto: nor https:.
 */
export function contactOf(settings: Pick<Brand['settings'], 'push' | 'support_contact'>, publicUrl: string): string {
  for (const text of [settings.push.contact, settings.support_contact, publicUrl]) {
    if (/^mailto:[^@\s]+@[^@\s]+$/.test(text) || /^https:\/\/\S+$/.test(text)) return text;
    if (/^[^@\s:/]+@[^@\s:/]+$/.test(text)) return `mailto:${text}`;
  }
  return `mailto:push@${URL.parse(publicUrl)?.hostname ?? 'localhost'}`;
}
