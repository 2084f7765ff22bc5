import type { Pool } from 'pg';
import { isNear, listBudgets, listWaitingFunds, readResolutionBacklog } from '../../actions/index.ts';
import type { LocalizedText } from '../../language.ts';
import { totalUse } from '../budgets/read-budget.ts';
import { alarmText } from './alarm-texts.ts';
import type { Alarm } from './alarms.ts';

/** Problems with budgets, funds and resolutions that a person should look at. */
export interface MoneyConcerns {
  /** Names of open campaign budgets that have used their alarm_percent. */
  budgets_near_limit: readonly string[];
  /** Credited funds that no figure includes, because the rate of their currency is unknown. */
  funds_without_rate: number;
  /** Players whose intents in doubt cannot be compared with their bonuses. */
  resolutions_failing: number;
}

/** Limits of the queries. No brand has so many open budgets or waiting rows. */
const mostBudgets = 1_000;
const mostFunds = 1_000;
/** Number of names in the message. */
const mostNames = 3;

export async function readMoneyConcerns(pool: Pool, brandId: number): Promise<MoneyConcerns> {
  const [budgets, funds, resolutions] = await Promise.all([
    listBudgets(pool, brandId, { closed: false }, mostBudgets),
    listWaitingFunds(pool, brandId, mostFunds),
    readResolutionBacklog(pool, brandId),
  ]);
  return {
    budgets_near_limit: budgets
      .filter((budget) => budget.scope === 'campaign' && isNear(budget, totalUse(budget)))
      .map(({ name }) => name),
    funds_without_rate: funds.filter(({ exchange_rate }) => exchange_rate === null).length,
    resolutions_failing: resolutions.failing.length,
  };
}

/** Pure. */
export function moneyAlarms({ budgets_near_limit, funds_without_rate, resolutions_failing }: MoneyConcerns): Alarm[] {
  const alarms: Alarm[] = [];
  const warn = (code: string, message: LocalizedText, list: string) =>
    alarms.push({ code, severity: 'warning', message, since: null, list });
  if (budgets_near_limit.length > 0) {
    const rest = budgets_near_limit.length - mostNames;
    const names = budgets_near_limit.slice(0, mostNames).join(', ');
    warn(
      'budgets_near_limit',
      alarmText((texts) => texts.budgetsNearLimit(names, rest)),
      '/budgets?closed=false',
    );
  }
  if (funds_without_rate > 0) {
    const message = alarmText((texts) => texts.fundsWithoutRate(funds_without_rate));
    warn('funds_without_rate', message, '/waiting-funds');
  }
  if (resolutions_failing > 0) {
    const message = alarmText((texts) => texts.resolutionsFailing(resolutions_failing));
    warn('resolutions_failing', message, '/bonus-intents?state=unknown');
  }
  return alarms;
}
