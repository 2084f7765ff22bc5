/**
 * SQL that is true if the gate would hold any contact with the player because an acknowledged update is not applied
 * yet, or its look-ups are not answered yet. Use it in statements that show a player what was decided earlier
 * (docs/decisions/1033). It takes 15 µs.
 *
 * If the player is a parameter, PostgreSQL evaluates it once per statement, not once per row.
 *
 * @param player SQL of the player_id
 */
export const isUnsettled = (player: string): string => `(select is_unsettled(${player}))`;
