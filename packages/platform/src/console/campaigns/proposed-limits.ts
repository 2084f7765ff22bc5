import { type Campaign, forecast, proposedEntriesPerDay } from '@croupier/campaigns';
import { plusDays } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { readCampaigns } from '../../campaigns/index.ts';
import { dayOf, readPast } from './forecast-past.ts';
import { fitOf } from './scheduled-starts.ts';

/** A limit follows from the days of a week, because entries depend on the weekday. */
const nextDays = 7;

export interface ProposedLimits {
  entered_per_day: number;
  /** The highest count of a day in the forecast. */
  forecast_high: number;
  source: 'runs' | 'backtest';
  from: string;
  until: string;
}

/**
 * Limits for `halt` that follow from a forecast of a document without errors. Null if there is no forecast: the campaign is not stored, it
 * has no runs or backtest of this document, or past days do not predict its schedule.
 *
 * Runs count only if all players may enter. With a smaller share, a limit from them would halt the campaign when the share grows.
 */
export async function readProposedLimits(
  pool: Pool,
  brand: Brand,
  document: Campaign,
  at: number,
): Promise<ProposedLimits | null> {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code: document.code });
  if (campaign === undefined) return null;
  const zone = brand.settings.time_zone;
  const today = dayOf(at, zone);
  const past = await readPast(pool, brand, { campaign, document, today });
  if (past === undefined || (past.source === 'runs' && campaign.share < 100)) return null;
  const next = Array.from({ length: nextDays }, (_, number) => plusDays(today, number + 1));
  const known = past.days.map(({ day }) => day);
  const { entry } = document;
  if ('schedule' in entry && !fitOf(entry.schedule, { past: known, today, next }, zone).fits) return null;
  const counted = past.days.map(({ day, entered: count }) => ({ day, count }));
  const { days } = forecast(counted, next, past.share);
  return {
    entered_per_day: proposedEntriesPerDay(days),
    forecast_high: Math.max(...days.map(({ high }) => high)),
    source: past.source,
    from: known[0] ?? today,
    until: known.at(-1) ?? today,
  };
}
