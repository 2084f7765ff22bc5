/** The player that is exported or erased. */
export interface Subject {
  brand_id: number;
  player_id: number;
  /** The operator's id of the player. During an erasure it is stored only in the request. */
  user_id: string;
  player_hash: bigint;
}

/** The columns of `s` that conditions of the inventory can use. */
export const subjectSql = `with s as (
  select $1::bigint as player_id, $2::int as brand_id, $3::text as user_id, $4::numeric as player_hash)`;

export function subjectValues({ player_id, brand_id, user_id, player_hash }: Subject): unknown[] {
  return [player_id, brand_id, user_id, String(player_hash)];
}
