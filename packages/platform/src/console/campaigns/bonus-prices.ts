import type { Pool } from 'pg';
import { readBonusValues } from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import type { BonusPrices } from '../../scenarios/index.ts';

/** The costs of a campaign's bonuses, computed from the open budgets of the brand. */
export async function pricesOf(pool: Pool, { brand_id, settings }: Brand, campaign: string): Promise<BonusPrices> {
  return { base_currency: settings.base_currency, values: await readBonusValues(pool, brand_id, campaign) };
}
