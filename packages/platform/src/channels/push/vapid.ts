import type { Pool } from 'pg';
import webPush from 'web-push';
import type { Brand, Vault } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { timestamptzText } from '../../database/index.ts';

/*
 * A brand's own pair of keys (RFC 8292): devices subscribe with the public one, and pushes are signed with the private one. The pair is
 * made when somebody first asks for it, and never changes by itself, because every device would have to subscribe anew. Two processes
 * that make one at once: the first row stays, and both read it.
 */
export interface VapidKeys {
  public_key: string;
  private_key: string;
}

interface KeyRow {
  public_key: string;
  sealed: Buffer;
}

export class BrandPushKeys {
  readonly #deps: { pool: Pool; vault: Vault; clock: Clock };
  /** Never larger than the number of brands. */
  readonly #known = new Map<number, VapidKeys>();

  constructor(deps: { pool: Pool; vault: Vault; clock: Clock }) {
    this.#deps = deps;
  }

  /** @throws {Unreadable} when they were sealed with another CROUPIER_SECRET. */
  async of(brand: Pick<Brand, 'brand_id' | 'code'>): Promise<VapidKeys> {
    const known = this.#known.get(brand.brand_id);
    if (known !== undefined) return known;
    const { public_key, sealed } = (await this.#read(brand.brand_id)) ?? (await this.#make(brand));
    const { private_key } = this.#deps.vault.open(brand.code, sealed) as { private_key: string };
    const keys = { public_key, private_key };
    this.#known.set(brand.brand_id, keys);
    return keys;
  }

  async #make({ brand_id, code }: Pick<Brand, 'brand_id' | 'code'>): Promise<KeyRow> {
    const { pool, vault, clock } = this.#deps;
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    await pool.query(
      `insert into push_key (brand_id, public_key, sealed, created_at) values ($1, $2, $3, $4) on conflict do nothing`,
      [brand_id, publicKey, vault.seal(code, { private_key: privateKey }), timestamptzText(clock())],
    );
    const row = await this.#read(brand_id);
    if (row === null) throw new Error('the keys of the brand were deleted just now');
    return row;
  }

  async #read(brandId: number): Promise<KeyRow | null> {
    const { rows } = await this.#deps.pool.query<KeyRow>(
      'select public_key, sealed from push_key where brand_id = $1',
      [brandId],
    );
    return rows[0] ?? null;
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
