import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/**
 * Finds players. In the console, only this file and search.ts select rows of player_profile and player_protection, which
 * belong to other stages.
 */

export interface PlayerFound {
  player_id: number;
  user_id: string;
  created_at: Micros;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  country: string | null;
}

export const listColumns = 'p.player_id, p.user_id, p.created_at, d.email, d.first_name, d.last_name, d.country';

export interface PlayerAtGlance extends PlayerFound {
  /** Whether the gate currently considers the player excluded. */
  excluded: boolean;
  blocked: boolean;
}

/** Players by their user_ids; erased and unknown ones are left out. */
export async function playersByUserId(
  pool: Pool,
  brandId: number,
  userIds: readonly string[],
): Promise<Map<string, PlayerAtGlance>> {
  const { rows } = await pool.query<PlayerAtGlance>(
    `select ${listColumns}, coalesce(g.excluded, false) as excluded, coalesce(g.blocked, false) as blocked
       from player p left join player_profile d using (player_id) left join player_protection g using (player_id)
      where p.brand_id = $1 and p.user_id = any ($2) and p.erased_at is null`,
    [brandId, userIds],
  );
  return new Map(rows.map((player) => [player.user_id, player]));
}

export type PlayerName = Pick<PlayerFound, 'first_name' | 'last_name' | 'country'>;

/** The names and countries of the players of one page. Players whose details are unknown are left out. */
export async function namesOfPlayers(pool: Pool, playerIds: readonly number[]): Promise<Map<number, PlayerName>> {
  if (playerIds.length === 0) return new Map();
  const { rows } = await pool.query<PlayerName & { player_id: number }>(
    'select player_id, first_name, last_name, country from player_profile where player_id = any ($1::bigint[])',
    [playerIds],
  );
  return new Map(rows.map(({ player_id, ...name }) => [player_id, name]));
}

export interface PlayersOfMarket {
  market: string | null;
  country: string | null;
  players: number;
}

/** The number of players for each pair of market and country. Only players whose details are known are counted. All their details are read. */
export async function playersByMarket(pool: Pool, brandId: number): Promise<PlayersOfMarket[]> {
  const { rows } = await pool.query<PlayersOfMarket>(
    `select nullif(market, '') as market, nullif(country, '') as country, count(*) as players
       from player_profile where brand_id = $1 group by 1, 2`,
    [brandId],
  );
  return rows;
}

export interface PlayerIdentity {
  player_id: number;
  brand_id: number;
  user_id: string;
}

export async function findPlayer(pool: Pool, brandId: number, userId: string): Promise<PlayerIdentity | null> {
  const { rows } = await pool.query<PlayerIdentity>(
    'select player_id, brand_id, user_id from player where brand_id = $1 and user_id = $2 and erased_at is null',
    [brandId, userId],
  );
  return rows[0] ?? null;
}
