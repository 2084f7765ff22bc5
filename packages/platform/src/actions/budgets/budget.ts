import type { DecimalText, Micros } from '@croupier/contracts';
import Big from 'big.js';

/*
 * What an intent takes of a budget, and whether it fits. Pure.
 *
 *              reserve, before the call        credited
 *   (nothing) --------------------> reserved ------------> spent
 *                                     |  ^                   |  ^
 *                            rejected |  | (never)           |  | a reference proves it after all
 *                                     v  |                   |  |
 *                                  released -----------------|--'
 *                                                            '--> reserved   its proof was withdrawn: unknown once more
 *
 * Unknown keeps what is reserved: it may have been credited. What is proven is spent even where that exceeds a limit, which by then
 * others may have used up: money that was given is not less given for it.
 */

export const budgetScopes = ['campaign', 'player'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

export interface Budget {
  budget_id: number;
  brand_id: number;
  name: string;
  /** campaign: one pot for all intents with its activity_id. player: a limit for each player. */
  scope: BudgetScope;
  /** Of a player's limit null means: whatever the activity. */
  activity_id: string | null;
  /** Of a player's limit: the last so many times 24 hours. Null: lifetime. */
  window_days: number | null;
  /** In base currency. */
  limit_amount: DecimalText | null;
  limit_count: number | null;
  /** What a bonus without an amount costs in base currency, by bonus_code. */
  bonus_values: Readonly<Record<string, DecimalText>>;
  /** Percent of a campaign's limit from which on a person is told. */
  alarm_percent: number;
}

/** What reservations of one holder add up to, released ones left out. */
export interface Use {
  amount: DecimalText;
  count: number;
}

/** The part of an intent that budgets look at. */
export interface BudgetedIntent {
  intent_id: string;
  brand_id: number;
  player_id: number;
  bonus_code: string;
  activity_id: string | null;
  /** Of funds; null of a bonus. */
  amount: DecimalText | null;
  currency: string | null;
}

export interface Cost {
  amount: DecimalText;
  exchange_rate: DecimalText | null;
}

/** Why a budget says no. no_rate: it limits money, and nobody knows what the intent's currency is worth. */
export type BudgetRefusal = 'used_up' | 'no_rate';

export function appliesTo(budget: Budget, intent: BudgetedIntent): boolean {
  return (
    budget.brand_id === intent.brand_id &&
    (budget.activity_id === null ? budget.scope === 'player' : budget.activity_id === intent.activity_id)
  );
}

/** Whose use of the budget an intent adds to: 0 is the one pot of a campaign. */
export function holderOf(budget: Pick<Budget, 'scope'>, intent: Pick<BudgetedIntent, 'player_id'>): number {
  return budget.scope === 'campaign' ? 0 : intent.player_id;
}

/**
 * What the intent costs in base currency. Null: that cannot be told.
 *
 * @param rateOf of the player's currencies the rate to the base currency, where one is known
 */
export function costOf(
  budget: Pick<Budget, 'bonus_values' | 'limit_amount'>,
  intent: BudgetedIntent,
  baseCurrency: string,
  rateOf: (currency: string) => DecimalText | undefined,
): Cost | null {
  const { amount, currency, bonus_code } = intent;
  if (amount === null || currency === null) {
    const value = Object.hasOwn(budget.bonus_values, bonus_code) ? budget.bonus_values[bonus_code] : undefined;
    return { amount: value ?? '0', exchange_rate: null };
  }
  const rate = currency === baseCurrency ? '1' : rateOf(currency);
  if (rate !== undefined) return { amount: new Big(amount).times(rate).toFixed(), exchange_rate: rate };
  // A budget of a number of bonuses needs no rate.
  return budget.limit_amount === null ? { amount: '0', exchange_rate: null } : null;
}

/** Whether a further cost stays within both limits; reaching one exactly is allowed. */
export function fits(budget: Pick<Budget, 'limit_amount' | 'limit_count'>, used: Use, cost: Cost): boolean {
  const { limit_amount, limit_count } = budget;
  if (limit_count !== null && used.count + 1 > limit_count) return false;
  return limit_amount === null || new Big(used.amount).plus(cost.amount).lte(limit_amount);
}

export function plus(used: Use, cost: Cost): Use {
  return { amount: new Big(used.amount).plus(cost.amount).toFixed(), count: used.count + 1 };
}

/** What is left, never below nothing: a proof that came late, or a lowered limit, may have exceeded it. */
export function leftOf(budget: Pick<Budget, 'limit_amount' | 'limit_count'>, used: Use) {
  const { limit_amount, limit_count } = budget;
  const amount = limit_amount === null ? null : new Big(limit_amount).minus(used.amount);
  return {
    amount: amount === null ? null : amount.lt(0) ? '0' : amount.toFixed(),
    count: limit_count === null ? null : Math.max(0, limit_count - used.count),
  };
}

/** Whether a person should be told that a budget nears its end. */
export function isNear(budget: Pick<Budget, 'limit_amount' | 'limit_count' | 'alarm_percent'>, used: Use): boolean {
  const { limit_amount, limit_count, alarm_percent } = budget;
  const share = (limit: DecimalText | number, of: DecimalText | number) =>
    new Big(of).times(100).gte(new Big(limit).times(alarm_percent));
  return (
    (limit_amount !== null && share(limit_amount, used.amount)) ||
    (limit_count !== null && share(limit_count, used.count))
  );
}

/** Where a window begins: not a calendar day, so that no midnight lets a player have twice as much within an hour. */
export function windowStart(budget: Pick<Budget, 'window_days'>, at: Micros): Micros | null {
  return budget.window_days === null ? null : at - budget.window_days * 86_400_000_000;
}
