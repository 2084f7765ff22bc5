import type { Entry } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { Words } from '../../language.ts';
import { CampaignRefused, germanStates } from '../documents/refused.ts';
import { readVersions, type StoredCampaign } from '../documents/store.ts';
import { insertNews } from './store.ts';

/** Enters a player through an API call, once per key. Call `refuseEntry` before. */
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
    throw new CampaignRefused('conflict', {
      en: `the campaign is ${state}; players can only enter a live campaign`,
      de: `Die Kampagne ${germanStates[state]}; Spieler können nur in eine Kampagne eintreten, die in Kraft ist`,
    });
  const published = (await readVersions(tx, [campaign_id])).find((one) => one.state === 'published');
  const entry = published?.document.entry;
  if (entry !== undefined && !('api' in entry)) throw new CampaignRefused('conflict', wayIn(entry));
}

function wayIn(entry: Exclude<Entry, { api: true }>): Words {
  const [en, de] = waysIn(entry);
  return {
    en: `players enter this campaign ${en}, not by API calls`,
    de: `In diese Kampagne treten Spieler ${de} ein, nicht durch Aufrufe der API`,
  };
}

function waysIn(entry: Exclude<Entry, { api: true }>): [en: string, de: string] {
  if ('event' in entry) return [`by the event ${entry.event}`, `durch das Ereignis ${entry.event}`];
  if (!('segment' in entry)) return ['by its schedule', 'nach ihrem Zeitplan'];
  const { on, segment } = entry;
  const german =
    on === 'entered' ? `beim Eintritt in das Segment ${segment}` : `beim Verlassen des Segments ${segment}`;
  return [`when they have ${on} the segment ${segment}`, german];
}
