import type { Pool } from 'pg';
import { readGames } from '../../derive/index.ts';

interface GameIds {
  vendor_id: string;
  game_id: string;
}

/** Null where no event has contained the name. */
export interface GameNames {
  game_name: string | null;
  vendor_name: string | null;
}

/** Reads the names of these games in one query. @returns a function that returns the names of one of them */
export async function readGameNames(
  pool: Pool,
  brandId: number,
  ids: readonly GameIds[],
): Promise<(of: GameIds) => GameNames> {
  const keyOf = ({ vendor_id, game_id }: GameIds) => JSON.stringify([vendor_id, game_id]);
  const distinct = [...new Map(ids.map((id) => [keyOf(id), id])).values()];
  const games = distinct.length === 0 ? [] : await readGames(pool, brandId, distinct);
  const found = new Map(games.map((game) => [keyOf(game), game]));
  return (of) => {
    const game = found.get(keyOf(of));
    return { game_name: game?.name ?? null, vendor_name: game?.vendor_name ?? null };
  };
}
