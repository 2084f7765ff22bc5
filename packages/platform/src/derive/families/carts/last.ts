import type { DecimalText } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { CartItem } from './cart.ts';

/** What traits read about the latest cart that was bought. */
export interface LastCart {
  base_amount: DecimalText;
  item_count: number;
  items: readonly CartItem[];
}

export async function readLastCart(db: Pool | ClientBase, playerId: number): Promise<LastCart | undefined> {
  const { rows } = await db.query<LastCart>({
    name: 'read_last_cart',
    text: lastCartSql('$1'),
    values: [playerId],
  });
  return rows[0];
}

/**
 * SQL that selects this row, or no row if the player has bought no cart. It finds the cart by the date in the totals, which
 * takes one index lookup. If several carts have the same date, it selects the one with the smallest key.
 *
 * @param player SQL of the player_id
 */
export const lastCartSql = (player: string): string => `
  select c.base_amount, c.item_count, c.items
  from cart_total t
  cross join lateral (
    select base_amount, item_count, items from cart
    where player_id = ${player} and at = t.cart_last_at and counted order by cart_key limit 1
  ) c
  where t.player_id = ${player}`;
