import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { StoredCampaign } from '../documents/store.ts';
import { insertNews } from './store.ts';

/** Has a player enter by a call: once for each key. What comes of it, the run tells. */
export async function enterPlayer(
  tx: ClientBase,
  { campaign_id, brand_id }: StoredCampaign,
  { player_id, key, data, at }: { player_id: number; key: string; data: Readonly<Record<string, unknown>>; at: Micros },
): Promise<void> {
  await insertNews(tx, [{ player_id, brand_id, news: { type: 'api', campaign_id, key, data, at } }]);
}
