import type { ClientBase } from 'pg';
import type { Balance } from './balance.ts';

export type ListedBalance = Omit<Balance, 'player_id' | 'fingerprint'>;

/** The last known balance of each key, ordered by key. A player has two, or as many as the operator has keys. */
export async function listBalances(db: Pick<ClientBase, 'query'>, playerId: number): Promise<ListedBalance[]> {
  const { rows } = await db.query<ListedBalance>(
    `select key, at, amount, currency, exchange_rate, base_amount, origin
     from balance where player_id = $1 order by key`,
    [playerId],
  );
  return rows;
}
