import type { ClientBase } from 'pg';

/** Namespace of the advisory locks of players whose caps are being counted. */
const space = 0x63_61_70;

/**
 * Locks the players, waiting if necessary, always in the same order. Until the end of the transaction no other transaction can
 * count their caps.
 */
export async function lockForCaps(tx: ClientBase, players: readonly number[]): Promise<void> {
  await tx.query({
    name: 'lock_players_for_caps',
    text: `select pg_advisory_xact_lock($1, key) from (
             select distinct hashint8(player) as key from unnest($2::bigint[]) player order by key) k`,
    values: [space, players],
  });
}

/**
 * Locks the players that no other transaction has locked. It does not wait for the others.
 *
 * @returns the players whose locks this transaction now holds
 */
export async function tryLockForCaps(tx: ClientBase, players: readonly number[]): Promise<Set<number>> {
  const { rows } = await tx.query<{ player: number }>({
    name: 'try_lock_players_for_caps',
    text: `select player from unnest($2::bigint[]) player where pg_try_advisory_xact_lock($1, hashint8(player))`,
    values: [space, players],
  });
  return new Set(rows.map(({ player }) => player));
}
