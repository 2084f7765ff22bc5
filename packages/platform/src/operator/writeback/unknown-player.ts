import type { ClientBase } from 'pg';

/** A change for a player whom the brand does not have, or who was erased. Nothing was written; `code` is for callers. */
export class UnknownPlayer extends Error {
  override name = 'UnknownPlayer';
  readonly code = 'unknown_player';
}

/**
 * Keeps the player from being erased until the transaction ends. An erasure changes the user_id, which is part of a key, and so
 * waits for this lock; other changes of the row do not. Take it after the rows of player_sync, as an erasure does.
 *
 * @throws {UnknownPlayer}
 */
export async function holdPlayer(tx: ClientBase, player: { brand_id: number; player_id: number }): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'hold_player',
    text: 'select from player where player_id = $1 and brand_id = $2 and erased_at is null for key share',
    values: [player.player_id, player.brand_id],
  });
  if (rowCount !== 1) throw new UnknownPlayer(`player ${player.player_id} does not exist at brand ${player.brand_id}`);
}
