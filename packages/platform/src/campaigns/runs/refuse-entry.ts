import { noEarlierRuns } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { Words } from '../../language.ts';
import { loadWholeViews, needsOf, type RuleReading } from '../../segments/membership/index.ts';
import { CampaignRefused } from '../documents/refused.ts';
import { readVersions, type StoredCampaign } from '../documents/store.ts';
import { causeKey } from '../news/news.ts';
import { type Refusal, refusalOf } from './entries.ts';
import { readEarlierRuns, readPlayers, readStartedCauses } from './store.ts';

/**
 * Refuses an entry by an API call that would not start a run, so that the caller learns why. Usually the run starts within a second, and
 * decides again. A key that has started a run already is not refused: its call is repeated.
 *
 * @throws {CampaignRefused}
 */
export async function refuseEntry(
  tx: PoolClient,
  { rules, brand }: { rules: RuleReading; brand: Brand },
  campaign: StoredCampaign,
  { player_id, key, at }: { player_id: number; key: string; at: Micros },
): Promise<void> {
  const { campaign_id, brand_id, code, share } = campaign;
  const cause_key = causeKey({ type: 'api', campaign_id, key, data: {}, at });
  const version = (await readVersions(tx, [campaign_id])).find(({ state }) => state === 'published');
  if (version === undefined || (await readStartedCauses(tx, [{ player_id, campaign_id, cause_key }])).length > 0)
    return;
  await tx.query('set local search_path = live, public');
  const { audience } = version.document;
  const audiences = audience === undefined ? [] : [audience];
  const ofBrand = await rules.of(brand, audience === undefined ? [] : needsOf(audience).fields);
  const read = { players: [player_id], rules: audiences, at };
  const view = (await loadWholeViews(tx, ofBrand, read)).get(player_id);
  const player = (await readPlayers(tx, [player_id])).get(player_id);
  const [earlier = noEarlierRuns] = await readEarlierRuns(tx, [player_id], [campaign_id]);
  if (view === undefined || player === undefined) return;
  const refusal = refusalOf(
    {
      version: { ...version, brand_id, code },
      active: { campaign_id, phase: 'live', share },
    },
    { player, view, earlier },
    { at, zone: brand.settings.time_zone, catalog: ofBrand.catalog },
  );
  if (refusal !== null) throw new CampaignRefused('conflict', words[refusal]);
}

const words: Readonly<Record<Refusal, Words>> = {
  excluded: { en: 'the player is excluded', de: 'Der Spieler ist ausgeschlossen' },
  blocked: { en: 'the player is blocked', de: 'Der Spieler ist gesperrt' },
  share: {
    en: 'the player is not in the share of players who may enter',
    de: 'Der Spieler gehört nicht zu dem Anteil der Spieler, die eintreten dürfen',
  },
  reentry: {
    en: 'the player was in the campaign before and may not enter again now',
    de: 'Der Spieler war schon in der Kampagne und darf jetzt nicht wieder eintreten',
  },
  not_in_segment: { en: 'the player is not in the segment', de: 'Der Spieler gehört nicht zum Segment' },
  audience: { en: 'the player is not in the audience', de: 'Der Spieler gehört nicht zur Zielgruppe' },
};
