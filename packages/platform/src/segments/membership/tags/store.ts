import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { insertNews } from '../news/store.ts';

/** The tags of a brand, with the number of players for each. */
export async function readTagNames(
  db: ClientBase | Pool,
  brandId: number,
): Promise<{ tag: string; players: number }[]> {
  const { rows } = await db.query<{ tag: string; players: number }>(
    'select tag, count(*)::int as players from player_tag where brand_id = $1 group by tag order by tag',
    [brandId],
  );
  return rows;
}

export interface PlayerTag {
  tag: string;
  tagged_at: Micros;
  tagged_by: string;
}

export async function readPlayerTags(db: ClientBase | Pool, playerId: number): Promise<PlayerTag[]> {
  const { rows } = await db.query<PlayerTag>(
    'select tag, tagged_at, tagged_by from player_tag where player_id = $1 order by tag',
    [playerId],
  );
  return rows;
}

/** A tag that a person or a campaign set or removed. */
export interface TagChange {
  tag: string;
  action: 'add' | 'remove';
  at: Micros;
  changed_by: string;
}

/** The newest first. */
export async function readTagChanges(db: ClientBase | Pool, playerId: number, limit: number): Promise<TagChange[]> {
  const { rows } = await db.query<TagChange>(
    'select tag, action, at, changed_by from player_tag_change where player_id = $1 order by change_id desc limit $2',
    [playerId, limit],
  );
  return rows;
}

export interface Tagging {
  player_id: number;
  brand_id: number;
  tag: string;
  action: 'add' | 'remove';
}

/** Sets or removes a tag. @returns whether that changed anything; if so, segments evaluate the player again */
export async function tagPlayer(
  tx: ClientBase,
  { player_id, brand_id, tag, action }: Tagging,
  by: { at: Micros; actor: string },
): Promise<boolean> {
  const { rowCount } =
    action === 'add'
      ? await tx.query(
          `insert into player_tag (player_id, tag, brand_id, tagged_at, tagged_by) values ($1, $2, $3, $4, $5) on conflict do nothing`,
          [player_id, tag, brand_id, timestamptzText(by.at), by.actor],
        )
      : await tx.query('delete from player_tag where player_id = $1 and tag = $2', [player_id, tag]);
  if (rowCount === 0) return false;
  await tx.query(
    'insert into player_tag_change (player_id, brand_id, tag, action, at, changed_by) values ($1, $2, $3, $4, $5, $6)',
    [player_id, brand_id, tag, action, timestamptzText(by.at), by.actor],
  );
  const cause = { type: 'tag', tag, by: by.actor, at: by.at } as const;
  await insertNews(tx, [{ player_id, brand_id, causes: [{ cause, silent: false }], version_id: null }]);
  return true;
}
