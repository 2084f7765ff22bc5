/**
 * Whether the gate would hold any contact with the player, because an acknowledged update of the player is not applied yet or its look-ups
 * are not answered yet: SQL, for statements that show a player what was decided earlier (docs/decisions/1033). 15 µs.
 *
 * Where the player is a parameter, PostgreSQL asks once for a statement, not once for each row.
 *
 * @param player SQL of the player_id.
 */
export const isUnsettled = (player: string): string => `(select is_unsettled(${player}))`;
