import type { ClientBase } from 'pg';

/** Names the advisory locks of players whose places of caps are being counted. */
const space = 0x63_61_70;

/** Waits for the players, in one order for all who wait: whoever counts their places has them alone until the end of the transaction. */
export async function lockForCaps(tx: ClientBase, players: readonly number[]): Promise<void> {
  await tx.query({
    name: 'lock_players_for_caps',
    text: `select pg_advisory_xact_lock($1, key) from (
             select distinct hashint8(player) as key from unnest($2::bigint[]) player order by key) k`,
    values: [space, players],
  });
}

/** Does not wait. @returns those of the players whom nobody else has; they are this transaction's from now on */
export async function tryLockForCaps(tx: ClientBase, players: readonly number[]): Promise<Set<number>> {
  const { rows } = await tx.query<{ player: number }>({
    name: 'try_lock_players_for_caps',
    text: `select player from unnest($2::bigint[]) player where pg_try_advisory_xact_lock($1, hashint8(player))`,
    values: [space, players],
  });
  return new Set(rows.map(({ player }) => player));
}
