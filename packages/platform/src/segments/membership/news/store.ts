import type { ClientBase, Pool } from 'pg';
import { columnsOf, type Scope, scoped } from '../../../database/index.ts';
import type { News } from '../cause.ts';

/**
 * Changes of messages and offers take this lock shared without ever waiting for it; the barrier takes it exclusively
 * (begin_segment_news in the migration).
 */
export const newsLock = 7_562_615;

export interface PlayerNews {
  player_id: number;
  brand_id: number;
  causes: readonly News[];
  /** The only version to evaluate; null for all that use what happened. */
  version_id: number | null;
}

const columns = columnsOf<PlayerNews>({ player_id: 'bigint', brand_id: 'int', causes: 'jsonb', version_id: 'int' });

export async function insertNews(tx: ClientBase, news: readonly PlayerNews[]): Promise<void> {
  if (news.length === 0) return;
  await tx.query({
    name: 'insert_segment_news',
    text: `insert into segment_news (${columns.names}) select ${columns.stored('n')} from ${columns.given('n')}`,
    values: columns.values(news),
  });
}

export interface EventNews {
  player_id: number;
  brand_id: number;
  causes: readonly News[];
  /** Kinds of its events, separated by spaces. */
  kinds: string;
}

const eventColumns = columnsOf<EventNews>({ player_id: 'bigint', brand_id: 'int', causes: 'jsonb', kinds: 'text' });

/**
 * Inserts news of events, for players of whom some active version uses one of the kinds, and for new players. For new players
 * every version must be evaluated, because a rule may be satisfied by a player about whom nothing is known. @returns the number
 * of rows
 */
export async function insertEventNews(tx: ClientBase, news: readonly EventNews[]): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'insert_segment_event_news',
    text: `insert into segment_news (player_id, brand_id, causes)
           select n.player_id, n.brand_id, n.causes from ${eventColumns.given('n')}
            where exists (select from segment_active a
                           where a.brand_id = n.brand_id and a.kinds && string_to_array(n.kinds, ' '))
               or exists (select from new_player f where f.player_id = n.player_id)`,
    values: eventColumns.values(news),
  });
  return rowCount ?? 0;
}

/**
 * Deletes and returns the oldest news of players in the scope, and all news of `players`. The deletion is part of the
 * transaction.
 */
export async function takeNews(
  tx: ClientBase,
  scope: Scope,
  players: readonly number[],
  limit: number,
): Promise<PlayerNews[]> {
  const of = scoped(scope);
  const { rows } = await tx.query<PlayerNews & { causes: News[] }>({
    name: of.named('take_segment_news'),
    text: `delete from segment_news where news_id = any (array(
             select news_id from segment_news where ${of.has('player_id', 1)} and ${of.leavesOut('player_id', 4)} order by news_id limit $2))
              or player_id = any($3::bigint[])
           returning player_id, brand_id, causes, version_id`,
    values: [of.ids, limit, players, of.except],
  });
  return rows;
}

/** Whether news waits for this version because the version was locked when the news was taken. */
export async function isNewsWaiting(db: Pool | ClientBase, version_id: number): Promise<boolean> {
  const { rows } = await db.query<{ waiting: boolean }>(
    'select exists (select from segment_news where version_id = $1) as waiting',
    [version_id],
  );
  return rows[0]?.waiting === true;
}
