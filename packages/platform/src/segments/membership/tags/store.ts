import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { columnsOf, type TimePage, timePageSql, timePageValues } from '../../../database/index.ts';
import { insertNews } from '../news/store.ts';

/**
 * The tags of a brand, with the number of players for each.
 *
 * @param name only tags that contain this text; letter case is ignored
 * @param limit maximum number of tags; default: all
 */
export async function readTagNames(
  db: ClientBase | Pool,
  brandId: number,
  { name, limit }: { name?: string | undefined; limit?: number | undefined } = {},
): Promise<{ tag: string; players: number }[]> {
  const { rows } = await db.query<{ tag: string; players: number }>(
    // The query steps from tag to tag in the index (brand_id, tag, player_id), and counts only the players of the tags that it returns.
    `with recursive every as (
       (select tag from player_tag where brand_id = $1 order by tag limit 1)
       union all
       select (select tag from player_tag where brand_id = $1 and tag > every.tag order by tag limit 1) from every where tag is not null
     ),
     found as (
       select tag from every
        where tag is not null and ($2::text is null or position(lower($2) in lower(tag)) > 0) order by tag limit $3
     )
     select tag, (select count(*)::int from player_tag p where p.brand_id = $1 and p.tag = found.tag) as players
       from found order by tag`,
    [brandId, name ?? null, limit ?? null],
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
  change_id: number;
  tag: string;
  action: 'add' | 'remove';
  at: Micros;
  changed_by: string;
}

/** Returns the changes of a player's tags by their time, the newest first. */
export async function readTagChanges(db: ClientBase | Pool, playerId: number, page: TimePage): Promise<TagChange[]> {
  const { rows } = await db.query<TagChange>(
    `select change_id, tag, action, at, changed_by from player_tag_change
      where player_id = $1 ${timePageSql({ at: 'at', key: 'change_id', type: 'bigint' }, 2)}`,
    [playerId, ...timePageValues(page)],
  );
  return rows;
}

/** A tag to set or remove, and who does it. */
export interface Tagging {
  player_id: number;
  brand_id: number;
  tag: string;
  action: 'add' | 'remove';
  actor: string;
}

const changeColumns = columnsOf<Tagging & { at: Micros }>({
  player_id: 'bigint',
  brand_id: 'int',
  tag: 'text',
  action: 'text',
  at: 'timestamptz',
  actor: 'text',
});

/**
 * Sets or removes tags of many players. Segments evaluate the players whose tags changed.
 *
 * @param taggings at most one for each player and tag, because their order has no effect
 * @returns the number of changes
 */
export async function tagPlayers(tx: ClientBase, taggings: readonly Tagging[], at: Micros): Promise<number> {
  const { rows } = await tx.query<Tagging>({
    name: 'tag_players',
    text: `with asked as (select * from ${changeColumns.given('t')}),
           added as (
             insert into player_tag (player_id, tag, brand_id, tagged_at, tagged_by)
             select player_id, tag, brand_id, at, actor from asked where action = 'add'
             on conflict do nothing returning player_id, tag),
           removed as (
             delete from player_tag p using asked a
              where a.action = 'remove' and p.player_id = a.player_id and p.tag = a.tag returning p.player_id, p.tag)
           insert into player_tag_change (player_id, brand_id, tag, action, at, changed_by)
           select ${changeColumns.stored('a')} from asked a
             join (select * from added union all select * from removed) as changed using (player_id, tag)
           returning player_id, brand_id, tag, action, changed_by as actor`,
    values: changeColumns.values(taggings.map((tagging) => ({ ...tagging, at }))),
  });
  await insertNews(
    tx,
    rows.map(({ player_id, brand_id, tag, actor }) => {
      const cause = { type: 'tag', tag, by: actor, at } as const;
      return { player_id, brand_id, causes: [{ cause, silent: false }], version_id: null };
    }),
  );
  return rows.length;
}
