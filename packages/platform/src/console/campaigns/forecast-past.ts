import { isDeepStrictEqual } from 'node:util';
import { fewestDays } from '@croupier/campaigns';
import { type Micros, plusDays } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { countDays, readCreditCosts, readVersions, type StoredCampaign } from '../../campaigns/index.ts';
import { readBacktestDays, readBacktests, shareTried } from '../../scenarios/index.ts';
import { pricesOf } from './bonus-prices.ts';

/* The past days on which a forecast is based. */

/** How many whole days a campaign must have been live for its runs to be used, and how many days are used. */
const fewestLive = 14;
const mostDays = 30;

export const forecastCounts = ['entered', 'sent', 'credited'] as const;
export type CountName = (typeof forecastCounts)[number];

/** Counts of whole days, oldest first. */
export interface Past {
  source: 'runs' | 'backtest';
  backtest_id: number | null;
  share: number;
  /** `cost` is in base currency. */
  days: (Record<CountName, number> & { day: string; cost: string })[];
  unknown_cost: number;
}

export interface Predicted {
  campaign: StoredCampaign;
  document: unknown;
  /** Date in the zone of the brand. */
  today: string;
}

/** The runs of the campaign, or else the newest backtest, if they are of this document. Undefined if there are neither. */
export async function readPast(pool: Pool, brand: Brand, of: Predicted): Promise<Past | undefined> {
  return (await fromRuns(pool, brand, of)) ?? (await fromBacktest(pool, brand, of));
}

/** Whether two documents have the same runs. A name does not change runs, and a limit only ends them. */
function haveSameRuns(one: unknown, other: unknown): boolean {
  const compared = (document: unknown) => ({ ...(document as object), name: undefined, halt: undefined });
  return isDeepStrictEqual(compared(one), compared(other));
}

async function fromRuns(pool: Pool, brand: Brand, { campaign, document, today }: Predicted): Promise<Past | undefined> {
  const { campaign_id, state } = campaign;
  if (state !== 'live') return undefined;
  const published = (await readVersions(pool, [campaign_id])).find((one) => one.state === 'published');
  if (published?.published_at == null || !haveSameRuns(published.document, document)) return undefined;
  const zone = brand.settings.time_zone;
  const begin = plusDays(dayOf(published.published_at, zone), 1);
  const from = [begin, plusDays(today, -mostDays)].toSorted().at(-1) ?? begin;
  const to = plusDays(today, -1);
  if (from > plusDays(today, -fewestLive)) return undefined;
  const counts = await countDays(pool, campaign_id, { zone, from, to });
  const of = (day: string, name: CountName) =>
    counts.find((one) => one.day === day && one.outcome === name)?.count ?? 0;
  const { values } = await pricesOf(pool, brand, campaign.code);
  const costs = await readCreditCosts(pool, campaign_id, { zone, from, to, values });
  const days = daysFrom(from, to).map((day) => ({
    day,
    entered: of(day, 'entered'),
    sent: of(day, 'sent'),
    credited: of(day, 'credited'),
    cost: costs.get(day)?.cost ?? '0',
  }));
  const unknown_cost = [...costs.values()].reduce((sum, { unknown }) => sum + unknown, 0);
  return { source: 'runs', backtest_id: null, share: 1, days, unknown_cost };
}

async function fromBacktest(
  pool: Pool,
  brand: Brand,
  { campaign: { campaign_id, code }, document, today }: Predicted,
): Promise<Past | undefined> {
  const zone = brand.settings.time_zone;
  const backtests = await readBacktests(pool, { campaign_id });
  const prices = await pricesOf(pool, brand, code);
  for (const one of backtests) {
    if (one.state !== 'done' || !haveSameRuns(one.document, document)) continue;
    const { days } = await readBacktestDays(pool, one, zone, prices);
    const last = dayOf(one.until_at, zone);
    // The last day of the backtest was not complete.
    const whole = days.filter(({ day }) => day < last && day < today).slice(-mostDays);
    if (whole.length < fewestDays) continue;
    const counted = whole.map(({ day, cost, counts: { entered, sent, credited } }) => ({
      day,
      entered,
      sent,
      credited,
      cost,
    }));
    const unknown_cost = whole.reduce((sum, { unknown_cost: unknown }) => sum + unknown, 0);
    const { backtest_id } = one;
    return { source: 'backtest', backtest_id, share: shareTried(one), days: counted, unknown_cost };
  }
  return undefined;
}

export function dayOf(at: Micros, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at / 1000);
}

export function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day);
  return days;
}
