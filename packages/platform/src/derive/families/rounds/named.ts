import type { ClientBase } from 'pg';
import { hashOf, type RoundIds, roundName } from './keys.ts';
import { type ListedRound, listedRound, type RoundRow, roundColumns } from './list.ts';

export interface NamedRound extends RoundIds {
  player_id: number;
}

/**
 * Returns rounds by their player and ids, in the order of the request; undefined for a round that is not derived yet. If
 * several rounds have the same ids, because the operator restarts its round numbers, it returns the newest.
 */
export async function readNamedRounds(
  db: Pick<ClientBase, 'query'>,
  { base_currency }: { base_currency: string },
  named: readonly NamedRound[],
): Promise<(Omit<ListedRound, 'token'> | undefined)[]> {
  const { rows } = await db.query<RoundRow & { nth: number; player_id: number }>(
    `select k.nth::int as nth, r.*
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[])
       with ordinality as k(of_player, of_key, of_vendor, of_game, of_round, nth)
     cross join lateral (
       select player_id, ${roundColumns} from round
       where player_id = k.of_player and round_key = k.of_key
         and vendor_id = k.of_vendor and game_id = k.of_game and round_id = k.of_round
       order by first_at desc limit 1) r`,
    [
      named.map(({ player_id }) => player_id),
      named.map((ids) => hashOf(roundName(ids))),
      named.map(({ vendor_id }) => vendor_id),
      named.map(({ game_id }) => game_id),
      named.map(({ round_id }) => round_id),
    ],
  );
  const found = new Map(
    rows.map(({ nth, player_id, ...row }) => {
      const { token: _, ...round } = listedRound(row, { player_id, base_currency });
      return [nth, round];
    }),
  );
  return named.map((_, place) => found.get(place + 1));
}
