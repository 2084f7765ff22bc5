import type { EventKind } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf, type Scope, scoped } from '../../database/index.ts';
import type { Awaiting } from './awaiting.ts';
import type { CampaignNews } from './news.ts';
import type { PublishedVersion } from './wanted.ts';

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

/** The version in force of an active campaign, and the kinds of news that it and its earlier versions use. */
export interface ActiveKinds {
  campaign_id: number;
  brand_id: number;
  version_id: number;
  kinds: EventKind[];
}

/** Read for every batch of events, so it has few columns. */
export async function readActiveKinds(tx: ClientBase): Promise<ActiveKinds[]> {
  const { rows } = await tx.query<ActiveKinds>({
    name: 'read_campaign_kinds',
    text: 'select campaign_id, brand_id, version_id, kinds from campaign_active order by campaign_id',
  });
  return rows;
}

/** All published versions of campaigns, by campaign. */
export async function readPublished(
  tx: ClientBase,
  campaignIds: readonly number[],
): Promise<Map<number, PublishedVersion[]>> {
  const { rows } = await tx.query<PublishedVersion & { campaign_id: number }>(
    `select campaign_id, version_id, document from campaign_version where campaign_id = any($1::int[]) and state <> 'draft'`,
    [campaignIds],
  );
  return Map.groupBy(rows, ({ campaign_id }) => campaign_id);
}

/**
 * If some campaign uses a segment, each round considers only this many of the oldest rows of news. Without this limit,
 * each round read all waiting rows, and reading 35,000 took longer than the rest of the round. If all considered rows
 * wait for segments, the later rows wait, too, for at most 5 seconds.
 */
const maxConsidered = 2_000;

/**
 * Takes the oldest news of some players, in order. It is deleted when the transaction commits. If news of a player
 * waits for segments (awaiting.ts), later news of this player waits, too.
 *
 * The order of `news_id` is that of `number`, and lets PostgreSQL find the news through the primary key. Otherwise PostgreSQL
 * would read the whole table, with the deleted rows of the last minute or more, which stay until the next vacuum.
 */
export async function takeNews(
  tx: ClientBase,
  scope: Scope,
  { limit, awaiting }: { limit: number; awaiting: Awaiting },
): Promise<PlayerNews[]> {
  const of = scoped(scope);
  const { rows } = await tx.query<PlayerNews>({
    name: of.named('take_campaign_news'),
    text: `with taken as (
             delete from campaign_news where news_id = any (array(
               select c.news_id
                 from (select n.news_id,
                              bool_or(n.news ->> 'type' = 'event' and n.news ->> 'kind' = any($3::text[])
                                      and (n.news ->> 'received_at')::bigint > $4
                                      and n.player_id in (select s.player_id from segment_news s))
                                over (partition by n.player_id order by n.news_id) as waits
                         from (select * from campaign_news where ${of.has('player_id', 1)}
                                order by news_id limit case when cardinality($3::text[]) = 0 then $2 else $5::int end) n) c
                where c.waits is not true
                order by c.news_id limit $2))
             returning news_id, player_id, brand_id, news)
           select player_id, brand_id, news from taken order by news_id`,
    values: [of.ids, limit, awaiting.kinds, awaiting.receivedAfter, maxConsidered],
  });
  return rows;
}
