import type { DecimalText } from '@croupier/contracts';
import Big from 'big.js';
import type { Pool } from 'pg';
import type { Budget } from './budget.ts';
import { openBudgets } from './reservation-store.ts';

/**
 * What a bonus without an amount costs in base currency, by bonus_code: the value in the budget of the campaign, or else in a budget of
 * players. If there are several values, the highest counts. A code without a value has an unknown cost.
 */
export function bonusValues(
  budgets: readonly Pick<Budget, 'activity_id' | 'scope' | 'bonus_values'>[],
  campaign: string,
): Map<string, DecimalText> {
  const values = new Map<string, DecimalText>();
  const take = (from: typeof budgets) => {
    const found = new Map<string, DecimalText>();
    for (const { bonus_values } of from)
      for (const [code, value] of Object.entries(bonus_values))
        if (!found.has(code) || new Big(value).gt(found.get(code) ?? '0')) found.set(code, value);
    for (const [code, value] of found) values.set(code, value);
  };
  take(budgets.filter(({ scope, activity_id }) => scope === 'player' && activity_id === null));
  take(budgets.filter(({ activity_id }) => activity_id === campaign));
  return values;
}

export async function readBonusValues(
  pool: Pool,
  brandId: number,
  campaign: string,
): Promise<Map<string, DecimalText>> {
  return bonusValues(await openBudgets(pool, [brandId]), campaign);
}
