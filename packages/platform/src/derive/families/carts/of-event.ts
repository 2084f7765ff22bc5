import type { ClientBase } from 'pg';
import type { DerivedEvent } from '../../event.ts';
import type { FactOfEvent } from '../../event-fact.ts';
import { cartKey } from './cart.ts';
import type { Cart } from './fact.ts';

/** The cart that an event belongs to, with its versions. */
export async function cartOfEvent(
  db: Pick<ClientBase, 'query'>,
  { player_id, event }: DerivedEvent<'cart'>,
): Promise<FactOfEvent | undefined> {
  const key = cartKey(event);
  const { rows } = await db.query<Pick<Cart, 'cart_id' | 'type' | 'status' | 'versions'>>(
    `select cart_id, type, status, versions from cart where player_id = $1 and cart_key = decode($2, 'hex')`,
    [player_id, key],
  );
  const [cart] = rows;
  if (cart === undefined) return undefined;
  return {
    fact: 'cart',
    key: { cart_id: cart.cart_id, type: cart.type },
    status: cart.status,
    orphan: false,
    times: cart.versions.map(({ timestamp }) => timestamp),
    inForce: new Set(cart.versions.slice(0, 1).map(({ fingerprint }) => fingerprint)),
    isOf: ({ event: other }) => other.kind === 'cart' && cartKey(other) === key,
  };
}
