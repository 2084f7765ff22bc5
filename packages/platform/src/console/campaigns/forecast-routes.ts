import { type Campaign, type CountedDay, fewestDays, forecast, type Range } from '@croupier/campaigns';
import { plusDays } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import { countCandidates } from '../../campaigns/index.ts';
import type { Words } from '../../language.ts';
import { audienceNamed, countAudience } from '../../segments/audience/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { forecastEndpoint } from './backtest-endpoints.ts';
import { versionToTry } from './dry-run-routes.ts';
import { type CountName, dayOf, daysFrom, forecastCounts, type Past, readPast } from './forecast-past.ts';
import { type ForecastDays, fitOf } from './scheduled-starts.ts';

export function forecastRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, forecastEndpoint, async ({ brand, params: { code }, body }) => {
    const { campaign, version } = await versionToTry(pool, brand, code);
    const at = clock();
    const today = dayOf(at, brand.settings.time_zone);
    const past = await readPast(pool, brand, { campaign, document: version.document, today });
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
      Object.fromEntries(forecasts.map(([name, one]) => [name, pick(one)])) as Record<CountName, T>;
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
