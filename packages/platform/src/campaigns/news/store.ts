import type { ClientBase } from 'pg';
import { columnsOf } from '../../database/index.ts';
import type { CampaignNews } from './news.ts';

export interface PlayerNews {
  player_id: number;
  brand_id: number;
  news: CampaignNews;
}

const columns = columnsOf<PlayerNews>({ player_id: 'bigint', brand_id: 'int', news: 'jsonb' });

export async function insertNews(tx: ClientBase, news: readonly PlayerNews[]): Promise<void> {
  if (news.length === 0) return;
  await tx.query({
    name: 'insert_campaign_news',
    text: `insert into campaign_news (${columns.names}) select ${columns.stored('n')} from ${columns.given('n')}`,
    values: columns.values(news),
  });
}

/** Kinds of events that active campaigns ask for, by brand. */
export async function readKinds(tx: ClientBase): Promise<Map<number, Set<string>>> {
  const { rows } = await tx.query<{ brand_id: number; kinds: string[] }>({
    name: 'read_campaign_kinds',
    text: `select brand_id, array_agg(distinct kind) as kinds from campaign_active cross join unnest(kinds) kind group by brand_id`,
  });
  return new Map(rows.map(({ brand_id, kinds }) => [brand_id, new Set(kinds)]));
}

/** Takes the oldest news of players of some buckets, in their order: they are gone with the transaction. */
export async function takeNews(tx: ClientBase, buckets: readonly number[], limit: number): Promise<PlayerNews[]> {
  const { rows } = await tx.query<PlayerNews & { news_id: number }>({
    name: 'take_campaign_news',
    text: `with taken as (
             delete from campaign_news where news_id in (
               select news_id from campaign_news where (player_id & 63) = any($1::int[]) order by number limit $2)
             returning number, player_id, brand_id, news)
           select player_id, brand_id, news from taken order by number`,
    values: [buckets, limit],
  });
  return rows;
}
