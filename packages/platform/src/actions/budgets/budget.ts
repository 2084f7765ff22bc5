import type { DecimalText, Micros } from '@croupier/contracts';
import Big from 'big.js';

/*
 * Computes what an intent takes from a budget, and whether the budget suffices. Pure.
 *
 *              reserve, before the call        credited
 *   (nothing) --------------------> reserved ------------> spent
 *                                     |  ^                   |  ^
 *                            rejected |  | (never)           |  | a reference proves the credit
 *                                     v  |                   |  |
 *                                  released -----------------|--'
 *                                                            '--> reserved   its proof was withdrawn: unknown again
 *
 * An unknown intent keeps its reservation, because it may have been credited. A proven credit counts as spent even if that
 * exceeds a limit that other intents have used up in the meantime, because the money has been given.
 */

export const budgetScopes = ['campaign', 'player'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

export interface Budget {
  budget_id: number;
  brand_id: number;
  name: string;
  /** campaign: one total for all intents with its activity_id. player: a limit for each player. */
  scope: BudgetScope;
  /** For a player's limit, null means any activity. */
  activity_id: string | null;
  /** For a player's limit: the last `window_days` times 24 hours. Null: lifetime. */
  window_days: number | null;
  /** In base currency. */
  limit_amount: DecimalText | null;
  limit_count: number | null;
  /** What a bonus without an amount costs in base currency, by bonus_code. */
  bonus_values: Readonly<Record<string, DecimalText>>;
  /** Percentage of a campaign's limit from which a person is alerted. */
  alarm_percent: number;
}

/** Total of the reservations of one holder, without released ones. */
export interface Use {
  amount: DecimalText;
  count: number;
}

/** The fields of an intent that budgets use. */
export interface BudgetedIntent {
  intent_id: string;
  brand_id: number;
  player_id: number;
  bonus_code: string;
  activity_id: string | null;
  /** For funds; null for a bonus. */
  amount: DecimalText | null;
  currency: string | null;
}

export interface Cost {
  amount: DecimalText;
  exchange_rate: DecimalText | null;
}

/** Why a budget refuses. no_rate: it limits money, and the rate of the intent's currency is unknown. */
export type BudgetRefusal = 'used_up' | 'no_rate';

export function appliesTo(budget: Budget, intent: BudgetedIntent): boolean {
  return (
    budget.brand_id === intent.brand_id &&
    (budget.activity_id === null ? budget.scope === 'player' : budget.activity_id === intent.activity_id)
  );
}

/** The holder whose use of the budget increases by an intent. 0 means the shared total of a campaign. */
export function holderOf(budget: Pick<Budget, 'scope'>, intent: Pick<BudgetedIntent, 'player_id'>): number {
  return budget.scope === 'campaign' ? 0 : intent.player_id;
}

/**
 * The cost of the intent in base currency. Null if it cannot be computed.
 *
 * @param rateOf returns the rate of a currency of the player to the base currency, if it is known
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
  // A budget that limits only the number of bonuses needs no rate.
  return budget.limit_amount === null ? { amount: '0', exchange_rate: null } : null;
}

/** Whether a further cost stays within both limits. Reaching a limit exactly is allowed. */
export function fits(budget: Pick<Budget, 'limit_amount' | 'limit_count'>, used: Use, cost: Cost): boolean {
  const { limit_amount, limit_count } = budget;
  if (limit_count !== null && used.count + 1 > limit_count) return false;
  return limit_amount === null || new Big(used.amount).plus(cost.amount).lte(limit_amount);
}

export function plus(used: Use, cost: Cost): Use {
  return { amount: new Big(used.amount).plus(cost.amount).toFixed(), count: used.count + 1 };
}

/** What is left, never below zero: a late proof, or a lowered limit, may have exceeded the limit. */
export function leftOf(budget: Pick<Budget, 'limit_amount' | 'limit_count'>, used: Use) {
  const { limit_amount, limit_count } = budget;
  const amount = limit_amount === null ? null : new Big(limit_amount).minus(used.amount);
  return {
    amount: amount === null ? null : amount.lt(0) ? '0' : amount.toFixed(),
    count: limit_count === null ? null : Math.max(0, limit_count - used.count),
  };
}

/** Whether a person should be alerted that a budget is nearly used up. */
export function isNear(budget: Pick<Budget, 'limit_amount' | 'limit_count' | 'alarm_percent'>, used: Use): boolean {
  const { limit_amount, limit_count, alarm_percent } = budget;
  const share = (limit: DecimalText | number, of: DecimalText | number) =>
    new Big(of).times(100).gte(new Big(limit).times(alarm_percent));
  return (
    (limit_amount !== null && share(limit_amount, used.amount)) ||
    (limit_count !== null && share(limit_count, used.count))
  );
}

/**
 * The start of a window. It is not a calendar day, because a player could then use twice as much within an hour around
 * midnight.
 */
export function windowStart(budget: Pick<Budget, 'window_days'>, at: Micros): Micros | null {
  return budget.window_days === null ? null : at - budget.window_days * 86_400_000_000;
}
