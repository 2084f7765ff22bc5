import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import {
  appliesTo,
  type Budget,
  type BudgetedIntent,
  type BudgetRefusal,
  type Cost,
  costOf,
  fits,
  holderOf,
  plus,
  type Use,
  windowStart,
} from './budget.ts';
import { latestRates } from './rate.ts';
import {
  holdingIntents,
  insertReservations,
  lockUses,
  moveReservations,
  openBudgets,
  type Reservation,
  type ReservationState,
  readUses,
  reservationsNotIn,
  type UseKey,
} from './reservation-store.ts';

export type ReserveOutcome =
  | { reserved: true }
  | { reserved: false; budget: Pick<Budget, 'budget_id' | 'name'>; reason: BudgetRefusal };

export interface ReserveContext {
  at: Micros;
  /** The base currency of the brand to which the intents belong. */
  base_currency: string;
}

/**
 * Reserves the cost of the intents in every budget that applies to them, in the transaction that writes their attempts. This
 * happens before the call, so that no call is made without budget.
 *
 * The rows of the budgets' use are locked until the transaction ends. So reservations of one budget are decided one
 * after the other, and each sees all earlier ones. A limit is never exceeded, regardless of the number of workers. The
 * locks are not held during a call, because the transaction ends before it. An intent that already holds a reservation
 * (a retry) takes nothing more.
 *
 * All intents must belong to one brand. Intents that come earlier in the list are served first.
 */
export async function reserve(
  tx: ClientBase,
  intents: readonly BudgetedIntent[],
  { at, base_currency }: ReserveContext,
): Promise<Map<string, ReserveOutcome>> {
  const outcomes = new Map<string, ReserveOutcome>(intents.map(({ intent_id }) => [intent_id, { reserved: true }]));
  const budgets = await openBudgets(tx, [...new Set(intents.map(({ brand_id }) => brand_id))]);
  const limited = intents.filter((intent) => budgets.some((budget) => appliesTo(budget, intent)));
  if (limited.length === 0) return outcomes;

  const takes = limited.flatMap((intent) =>
    budgets
      .filter((budget) => appliesTo(budget, intent))
      .map((budget) => ({ intent, budget, holder: holderOf(budget, intent) })),
  );
  await lockUses(
    tx,
    takes.map(({ budget, holder }) => ({ budget_id: budget.budget_id, holder })),
  );
  const holding = await holdingIntents(
    tx,
    limited.map(({ intent_id }) => intent_id),
  );
  const keys = new Map(
    takes.map(({ budget, holder }) => [
      `${budget.budget_id}:${holder}`,
      { budget_id: budget.budget_id, holder, since: windowStart(budget, at) },
    ]),
  );
  const uses = await readUses(tx, [...keys.values()]);
  const rates = await ratesFor(tx, limited, base_currency);

  const reservations: Reservation[] = [];
  for (const intent of limited) {
    if (holding.has(intent.intent_id)) continue;
    const own = takes.filter((take) => take.intent === intent);
    const decided = take(own, uses, (budget) =>
      costOf(budget, intent, base_currency, (currency) => rates.get(`${intent.player_id}:${currency}`)),
    );
    if ('reason' in decided) outcomes.set(intent.intent_id, { reserved: false, ...decided });
    else reservations.push(...decided.reservations);
  }
  if (reservations.length > 0) await insertReservations(tx, reservations, at);
  return outcomes;
}

interface Take {
  intent: BudgetedIntent;
  budget: Budget;
  holder: number;
}

/**
 * Takes from all budgets of an intent, or from none: if one refuses, the others stay as they were. Adds what is taken to
 * `uses`.
 */
function take(
  takes: readonly Take[],
  uses: Map<string, Use>,
  costFor: (budget: Budget) => Cost | null,
): { reservations: Reservation[] } | { budget: Pick<Budget, 'budget_id' | 'name'>; reason: BudgetRefusal } {
  const after = new Map<string, Use>();
  const reservations: Reservation[] = [];
  for (const { intent, budget, holder } of takes) {
    const { budget_id, name } = budget;
    const cost = costFor(budget);
    if (cost === null) return { budget: { budget_id, name }, reason: 'no_rate' };
    const key = `${budget_id}:${holder}`;
    const used = uses.get(key) ?? { amount: '0', count: 0 };
    if (!fits(budget, used, cost)) return { budget: { budget_id, name }, reason: 'used_up' };
    after.set(key, plus(used, cost));
    const { intent_id, player_id } = intent;
    reservations.push({ intent_id, budget_id, holder, player_id, ...cost });
  }
  for (const [key, use] of after) uses.set(key, use);
  return { reservations };
}

async function ratesFor(
  tx: ClientBase,
  intents: readonly BudgetedIntent[],
  baseCurrency: string,
): Promise<Map<string, DecimalText>> {
  const wanted = intents.flatMap(({ player_id, currency }) =>
    currency === null || currency === baseCurrency ? [] : [{ player_id, currency }],
  );
  return latestRates(tx, wanted);
}

/** The state to which the outcome of an intent moves its reservations. */
export interface Settlement {
  intent_id: string;
  state: ReservationState;
}

/**
 * Moves the reservations of intents to the state of their outcome, in the transaction of the outcome: spent if credited,
 * released if rejected, reserved again if the proof of a credit was withdrawn. Safe to repeat.
 *
 * Call it once per transaction, with all of its intents. Two calls in one transaction would not take all of their locks in one order. A
 * deadlock could then lose the outcome of a call.
 */
export async function settleReservations(tx: ClientBase, settlements: readonly Settlement[]): Promise<void> {
  const byState = Map.groupBy(settlements, ({ state }) => state);
  const moves: { state: ReservationState; ids: string[] }[] = [];
  const uses: UseKey[] = [];
  for (const [state, own] of byState) {
    const ids = own.map(({ intent_id }) => intent_id);
    const moving = await reservationsNotIn(tx, ids, state);
    if (moving.length > 0) moves.push({ state, ids });
    for (const use of moving) uses.push(use);
  }
  if (uses.length === 0) return;
  await lockUses(tx, uses);
  for (const { state, ids } of moves) await moveReservations(tx, ids, state);
}
