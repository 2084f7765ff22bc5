import type { Pool } from 'pg';
import type { BrandRegistry } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import { PlayerCreator } from '../../derive/index.ts';
import { requestRefresh } from '../../operator/players/index.ts';

/**
 * Creates players who are first seen on the site, and requests their look-ups, as for a player's first event (docs/reference/decisions.md
 * 2.10).
 */
export class NewPlayers {
  readonly #pool: Pool;
  readonly #creator: PlayerCreator;

  constructor(options: { pool: Pool; brands: BrandRegistry }) {
    this.#pool = options.pool;
    this.#creator = new PlayerCreator(options.brands);
  }

  /** Does nothing for a user_id that was erased within the last 30 days. */
  async create(brandId: number, userId: string): Promise<void> {
    await transaction(this.#pool, async (tx) => {
      for (const { player_id } of await this.#creator.create(tx, brandId, [userId]))
        await requestRefresh(tx, { player_id, brand_id: brandId });
    });
  }
}
