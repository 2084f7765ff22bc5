import type { ClientBase } from 'pg';

export interface ListedGame {
  vendor_id: string;
  game_id: string;
  /** Null until an event contains it. */
  name: string | null;
  type: string | null;
  vendor_name: string | null;
}

export interface GameFilter {
  /** Part of the game's id or name, ignoring letter case. */
  search?: string;
  vendor_id?: string;
  type?: string;
}

/**
 * Games of a brand ordered by id; `after` is the last one of the previous page. A brand has at most a few thousand
 * games, so a search scans all of them and needs no index.
 */
export async function listGames(
  db: Pick<ClientBase, 'query'>,
  brandId: number,
  filter: GameFilter,
  limit: number,
  after?: Pick<ListedGame, 'vendor_id' | 'game_id'>,
): Promise<ListedGame[]> {
  const { rows } = await db.query<ListedGame>(
    `select g.vendor_id, g.game_id, g.name, g.type, v.name as vendor_name
     from game g left join vendor v using (brand_id, vendor_id)
     where brand_id = $1
       and ($2::text is null or strpos(lower(g.game_id), lower($2)) > 0 or strpos(lower(g.name), lower($2)) > 0)
       and ($3::text is null or g.vendor_id = $3)
       and ($4::text is null or lower(g.type) = lower($4))
       and ($5::text is null or (g.vendor_id, g.game_id) > ($5, $6))
     order by g.vendor_id, g.game_id
     limit $7`,
    [
      brandId,
      filter.search ?? null,
      filter.vendor_id ?? null,
      filter.type ?? null,
      after?.vendor_id ?? null,
      after?.game_id ?? null,
      limit,
    ],
  );
  return rows;
}

/** Returns the games with these ids. A game that no event has named is left out. */
export async function readGames(
  db: Pick<ClientBase, 'query'>,
  brandId: number,
  ids: readonly Pick<ListedGame, 'vendor_id' | 'game_id'>[],
): Promise<ListedGame[]> {
  const { rows } = await db.query<ListedGame>(
    `select g.vendor_id, g.game_id, g.name, g.type, v.name as vendor_name
     from unnest($2::text[], $3::text[]) as k(vendor_id, game_id)
     join game g using (vendor_id, game_id) left join vendor v using (brand_id, vendor_id)
     where brand_id = $1`,
    [brandId, ids.map(({ vendor_id }) => vendor_id), ids.map(({ game_id }) => game_id)],
  );
  return rows;
}

export interface ListedVendor {
  vendor_id: string;
  name: string | null;
  /** The number of its games that were ever played. */
  games: number;
}

/** Vendors of games, ordered by id; `after` is the id of the last one of the previous page. */
export async function listVendors(
  db: Pick<ClientBase, 'query'>,
  brandId: number,
  filter: { search?: string },
  limit: number,
  after?: string,
): Promise<ListedVendor[]> {
  const { rows } = await db.query<ListedVendor>(
    `select v.vendor_id, v.name,
            (select count(*) from game g where g.brand_id = v.brand_id and g.vendor_id = v.vendor_id) as games
     from vendor v
     where v.brand_id = $1
       and ($2::text is null or strpos(lower(v.vendor_id), lower($2)) > 0 or strpos(lower(v.name), lower($2)) > 0)
       and ($3::text is null or v.vendor_id > $3)
     order by v.vendor_id
     limit $4`,
    [brandId, filter.search ?? null, after ?? null, limit],
  );
  return rows;
}
