import type { Entry } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { CampaignRefused } from '../documents/refused.ts';
import { readVersions, type StoredCampaign } from '../documents/store.ts';
import { insertNews } from './store.ts';

/** Enters a player through an API call, once per key. The run records the result. */
export async function enterPlayer(
  tx: ClientBase,
  { campaign_id, brand_id }: StoredCampaign,
  { player_id, key, data, at }: { player_id: number; key: string; data: Readonly<Record<string, unknown>>; at: Micros },
): Promise<void> {
  await insertNews(tx, [{ player_id, brand_id, news: { type: 'api', campaign_id, key, data, at } }]);
}

/** @throws {CampaignRefused} if no player can currently enter the campaign through a call, with the reason */
export async function refuseUnenterable(tx: ClientBase, { campaign_id, state }: StoredCampaign): Promise<void> {
  if (state !== 'live')
    throw new CampaignRefused('conflict', `the campaign is ${state}; players can only enter a live campaign`);
  const published = (await readVersions(tx, [campaign_id])).find((one) => one.state === 'published');
  const entry = published?.document.entry;
  if (entry !== undefined && !('api' in entry))
    throw new CampaignRefused('conflict', `players enter this campaign ${wayOf(entry)}, not by API calls`);
}

function wayOf(entry: Exclude<Entry, { api: true }>): string {
  if ('event' in entry) return `by the event ${entry.event}`;
  if ('segment' in entry) return `when they have ${entry.on} the segment ${entry.segment}`;
  return 'by its schedule';
}
