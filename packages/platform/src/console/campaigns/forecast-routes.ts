import { isDeepStrictEqual } from 'node:util';
import { type Campaign, type CountedDay, fewestDays, forecast, type Range } from '@croupier/campaigns';
import { type Micros, plusDays } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import {
  countCandidates,
  countDays,
  readCreditCosts,
  readVersions,
  type StoredCampaign,
} from '../../campaigns/index.ts';
import type { Words } from '../../language.ts';
import { readBacktestDays, readBacktests, shareTried } from '../../scenarios/index.ts';
import { audienceNamed, countAudience } from '../../segments/audience/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { forecastEndpoint } from './backtest-endpoints.ts';
import { pricesOf } from './bonus-prices.ts';
import { versionToTry } from './dry-run-routes.ts';
import { type ForecastDays, fitOf } from './scheduled-starts.ts';

/** How many whole days a campaign must have been live for its runs to be used, and how many days are used. */
const fewestLive = 14;
const mostDays = 30;

const forecastCounts = ['entered', 'sent', 'credited'] as const;
type Name = (typeof forecastCounts)[number];

/** Counts of whole days, oldest first. */
interface Past {
  source: 'runs' | 'backtest';
  backtest_id: number | null;
  share: number;
  /** `cost` is in base currency. */
  days: (Record<Name, number> & { day: string; cost: string })[];
  unknown_cost: number;
}

export function forecastRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, forecastEndpoint, async ({ brand, params: { code }, body }) => {
    const { campaign, version } = await versionToTry(pool, brand, code);
    const at = clock();
    const today = dayOf(at, brand.settings.time_zone);
    const past =
      (await fromRuns(brand, campaign, today)) ?? (await fromBacktest(brand, campaign, version.document, today));
    const next = Array.from({ length: body.days }, (_, number) => plusDays(today, number + 1));
    // Without data, the shortest possible backtest is assumed, so that nobody runs one for a schedule that no backtest predicts.
    const known = past?.days.map(({ day }) => day) ?? daysFrom(plusDays(today, -fewestDays), plusDays(today, -1));
    await refuseUnpredictable(brand, version.document, { past: known, today, next });
    if (past === undefined)
      throw new Refused('conflict', {
        en: `this version has no backtest over ${fewestDays} days or more; run one first`,
        de: `Diese Version hat keinen Backtest über mindestens ${fewestDays} Tage; starten Sie zuerst einen`,
      });
    const forecasts = forecastCounts.map((name) => {
      const counted = past.days.map(({ day, [name]: count }): CountedDay => ({ day, count }));
      return [name, forecast(counted, next, past.share)] as const;
    });
    const cost = forecastCost(past, next);
    const of = <T>(pick: (one: (typeof forecasts)[number][1]) => T) =>
      Object.fromEntries(forecasts.map(([name, one]) => [name, pick(one)])) as Record<Name, T>;
    const days = next.map((day, place) => {
      const ranges = of((one) => one.days[place] as (typeof one.days)[number]);
      return { day, weekday: ranges.entered.weekday, ...ranges, cost: cost.days[place] ?? cost.total };
    });
    return {
      source: past.source,
      backtest_id: past.backtest_id,
      from: past.days[0]?.day ?? today,
      until: past.days.at(-1)?.day ?? today,
      method: methodOf(past),
      days,
      total: { ...of(({ total }) => total), cost: cost.total },
      unknown_cost: past.unknown_cost,
    };
  });

  async function refuseUnpredictable(brand: Brand, { entry }: Campaign, days: ForecastDays): Promise<void> {
    if (!('schedule' in entry)) return;
    const fit = fitOf(entry.schedule, days, brand.settings.time_zone);
    if (fit.fits) return;
    const message =
      fit.needsDays === null
        ? unpredictable(fit.starts, await countInvited(brand, entry.to), entry.to)
        : {
            en: `a forecast for this schedule needs ${fit.needsDays} days of runs, or a backtest over ${fit.needsDays} whole days; run one first`,
            de: `Eine Prognose für diesen Zeitplan braucht ${fit.needsDays} Tage mit Durchgängen oder einen Backtest über ${fit.needsDays} ganze Tage; starten Sie zuerst einen`,
          };
    throw new Refused('conflict', message, { errors: [{ path: '/entry/schedule', rule: 'schedule', message }] });
  }

  /** The number of players whom a start checks now. Their audience, re-entry and share of the campaign are not considered. */
  async function countInvited({ brand_id }: Brand, segment: string | undefined): Promise<number> {
    if (segment === undefined) return countCandidates(pool, brand_id);
    const members = await audienceNamed(pool, brand_id, segment);
    return members === undefined ? 0 : countAudience(pool, members);
  }

  async function fromRuns(brand: Brand, campaign: StoredCampaign, today: string): Promise<Past | undefined> {
    const { campaign_id, state } = campaign;
    if (state !== 'live') return undefined;
    const versions = await readVersions(pool, [campaign_id]);
    const published = versions.find((one) => one.state === 'published');
    // If there is a draft, the forecast is for the draft, so runs of the published version do not count.
    if (published?.published_at == null || versions.some((one) => one.state === 'draft')) return undefined;
    const zone = brand.settings.time_zone;
    const begin = plusDays(dayOf(published.published_at, zone), 1);
    const from = [begin, plusDays(today, -mostDays)].toSorted().at(-1) ?? begin;
    const to = plusDays(today, -1);
    if (from > plusDays(today, -fewestLive)) return undefined;
    const counts = await countDays(pool, campaign_id, { zone, from, to });
    const of = (day: string, name: Name) => counts.find((one) => one.day === day && one.outcome === name)?.count ?? 0;
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
    brand: Brand,
    { campaign_id, code }: StoredCampaign,
    document: unknown,
    today: string,
  ): Promise<Past | undefined> {
    const zone = brand.settings.time_zone;
    const backtests = await readBacktests(pool, { campaign_id });
    const prices = await pricesOf(pool, brand, code);
    for (const one of backtests) {
      if (one.state !== 'done' || !isDeepStrictEqual(one.document, document)) continue;
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
}

function unpredictable(starts: readonly string[], players: number, segment: string | undefined): Words {
  const en = segment === undefined ? 'of the brand' : `of the segment ${segment}`;
  const de = segment === undefined ? 'der Marke' : `des Segments ${segment}`;
  const dates = starts.join(', ');
  return {
    en: `past days do not predict this schedule, because it does not start on the same weekdays. ${
      starts.length === 0
        ? 'It does not start in these days'
        : `It starts on ${dates}, each time with at most the ${players} players ${en} who fit the audience`
    }. Try it with real players (dry run) to see what they get`,
    de: `Vergangene Tage sagen diesen Zeitplan nicht voraus, weil er nicht immer an denselben Wochentagen startet. ${
      starts.length === 0
        ? 'In diesen Tagen startet er nicht'
        : `Er startet am ${dates}, jeweils höchstens mit den ${players} Spielern ${de}, die zur Zielgruppe passen`
    }. Der Versuch mit echten Spielern zeigt, was sie bekommen`,
  };
}

/** Counts hundredths of the currency, so that the ranges are exact to a hundredth. */
function forecastCost({ days, share }: Past, next: readonly string[]) {
  const counted = days.map(({ day, cost }): CountedDay => ({ day, count: Number(cost) * 100 }));
  const isFree = counted.every(({ count }) => count === 0);
  const money = (hundredths: number) => (isFree ? '0.00' : (hundredths / 100).toFixed(2));
  const inMoney = ({ expected, low, high }: Range) => ({
    expected: money(expected),
    low: money(low),
    high: money(high),
  });
  const { days: found, total } = forecast(counted, next, share);
  return { days: found.map(inMoney), total: inMoney(total) };
}

function methodOf({ source, days, share }: Past): string {
  const rest = source === 'runs' ? `its runs on ${days.length} days` : `a backtest over ${days.length} days`;
  const sample = share < 1 ? `, scaled up from ${Math.round(share * 1_000) / 10} percent of the players` : '';
  return `The mean of each weekday over ${rest}${sample}, moved toward the mean of all days if weekdays do not differ clearly. Low and high contain about 95 percent of days, based on the spread of past days.`;
}

function dayOf(at: Micros, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at / 1000);
}

function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day);
  return days;
}
