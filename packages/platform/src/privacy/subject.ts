/** The player that is exported or erased. */
export interface Subject {
  brand_id: number;
  player_id: number;
  /** As the operator names the player; of one that is being erased it stands in the request alone. */
  user_id: string;
  player_hash: bigint;
}

/** What conditions of the inventory may name as `s`. */
export const subjectSql = `with s as (
  select $1::bigint as player_id, $2::int as brand_id, $3::text as user_id, $4::numeric as player_hash)`;

export function subjectValues({ player_id, brand_id, user_id, player_hash }: Subject): unknown[] {
  return [player_id, brand_id, user_id, String(player_hash)];
}
