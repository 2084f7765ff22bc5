import type { Campaign } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { startsBetween, zonesOf } from '../starts/plan.ts';

/** Something in a document that does not prevent its publication and is probably a mistake. */
export interface CampaignWarning {
  /** JSON path in the document. */
  path: string;
  message: string;
}

/**
 * Returns the probable mistakes in a campaign that is published at this time. A past schedule is not an error: a new version of a campaign
 * that has started keeps its schedule, and its runs can move to the new version. Pure.
 */
export function warningsOf(
  { settings }: Pick<Brand, 'settings'>,
  { entry }: Pick<Campaign, 'entry'>,
  at: Micros,
): CampaignWarning[] {
  if (!('schedule' in entry) || 'every' in entry.schedule) return [];
  const zones = { brand: settings.time_zone, players: zonesOf(settings) };
  if (startsBetween(entry.schedule, at, Number.MAX_SAFE_INTEGER, zones).length > 0) return [];
  return [{ path: '/entry/schedule/at', message: `${entry.schedule.at} is in the past, so no player enters` }];
}
