/** Budgets: limits on what bonuses may cost. See README.md. */

export { readBonusValues } from './bonus-values.ts';
export {
  type Budget,
  type BudgetedIntent,
  type BudgetRefusal,
  type BudgetScope,
  budgetScopes,
  isNear,
  leftOf,
} from './budget.ts';
export {
  type BudgetChange,
  closeBudget,
  insertBudget,
  type ListedBudget,
  listBudgets,
  type NearPlayer,
  type NewBudget,
  playersNearLimit,
  playerUses,
  reservationsOf,
  updateBudget,
} from './budget-store.ts';
export { latestRates } from './rate.ts';
export { type ReserveContext, type ReserveOutcome, reserve, type Settlement, settleReservations } from './reserve.ts';
