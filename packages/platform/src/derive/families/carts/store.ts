import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { nameOf } from './decide.ts';
import type { Cart, CartIdentity } from './fact.ts';

/** The carts that a batch may change, by `nameOf`; those that are not there yet are missing. */
export async function loadCarts(tx: ClientBase, identities: readonly CartIdentity[]): Promise<Map<string, Cart>> {
  // `offset 0` keeps the planner from joining whole tables: each key is a step in the index.
  const { rows } = await tx.query<Cart>({
    name: 'load_carts',
    text: `select c.player_id, encode(c.cart_key, 'hex') as cart_key, cart_id, type, status, counted, at, day, amount,
                  currency, exchange_rate, base_amount, discount_amount, base_discount, bonus_code, device_type, origin,
                  item_count, items, payments, meta, conflicts, versions
           from unnest($1::bigint[], $2::text[]) as k(player_id, cart_key)
           cross join lateral (
             select * from cart where player_id = k.player_id and cart_key = decode(k.cart_key, 'hex') offset 0
           ) c`,
    values: [identities.map((i) => i.player_id), identities.map((i) => i.cart_key)],
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export async function saveCarts(tx: ClientBase, carts: readonly Cart[]): Promise<void> {
  await tx.query({
    name: 'save_carts',
    text: `insert into cart
             (player_id, cart_key, cart_id, type, status, counted, at, day, amount, currency, exchange_rate, base_amount,
              discount_amount, base_discount, bonus_code, device_type, origin, item_count, items, payments, meta,
              conflicts, versions)
           select player_id, decode(cart_key, 'hex'), cart_id, type, status, counted, at, day, amount, currency,
                  exchange_rate, base_amount, discount_amount, base_discount, bonus_code, device_type, origin, item_count,
                  items, payments, meta, conflicts, versions
           from jsonb_to_recordset($1::jsonb)
             as c(player_id bigint, cart_key text, cart_id text, type text, status text, counted boolean, at timestamptz,
                  day date, amount numeric, currency text, exchange_rate numeric, base_amount numeric,
                  discount_amount numeric, base_discount numeric, bonus_code text, device_type text, origin text,
                  item_count int, items jsonb, payments jsonb, meta jsonb, conflicts int, versions jsonb)
           on conflict (player_id, cart_key) do update set
             cart_id = excluded.cart_id, type = excluded.type, status = excluded.status, counted = excluded.counted,
             amount = excluded.amount, currency = excluded.currency, exchange_rate = excluded.exchange_rate,
             base_amount = excluded.base_amount, discount_amount = excluded.discount_amount,
             base_discount = excluded.base_discount, bonus_code = excluded.bonus_code,
             device_type = excluded.device_type, origin = excluded.origin, item_count = excluded.item_count,
             items = excluded.items, payments = excluded.payments, meta = excluded.meta,
             conflicts = excluded.conflicts, versions = excluded.versions`,
    values: [JSON.stringify(carts.map((cart) => ({ ...cart, at: timestamptzText(cart.at) })))],
  });
}

/** One row per cart that counts, as `TotalsSpec.facts` wants it. */
export const countedCarts = `
  select player_id, at, day, at as cart_at
  from cart
  where counted`;
