import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedCart, listCarts } from '../../derive/index.ts';
import { maskMeta } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  MicrosShape,
  Moment,
  Money,
  momentText,
  Nullable,
  PlayerParams,
  readMoment,
  timeRange,
} from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

const Text = Nullable(Type.String());

const Meta = Nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'As sent. Masked for callers who may not see personal data',
  }),
);

const openSet = (known: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `Letter case is ignored. Known values: ${known}` });

const CartItem = Type.Object({
  id: Text,
  type: Text,
  name: Text,
  description: Text,
  amount: Nullable(Money),
  base_amount: Nullable(Money),
  discount_amount: Nullable(Money),
  base_discount: Nullable(Money),
  bonus_code: Text,
  meta: Meta,
});

const CartPayment = Type.Object(
  { type: Text, amount: Nullable(Money), base_amount: Nullable(Money), meta: Meta },
  { description: 'Never a deposit, even with the type Deposit. Deposits are payments' },
);

const CartVersion = Type.Object({
  amount: Money,
  discount_amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
});

const Cart = Type.Object({
  cart_id: Type.String({ description: 'Operators may reuse ids: several carts can share one' }),
  type: Type.String(),
  status: Type.String(),
  counted: Type.Boolean({ description: 'Counts in totals: a Checkout that was Successful' }),
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  base_amount: Money,
  discount_amount: Type.String({ description: 'Discount of the cart, else of its items. Not part of the amount' }),
  base_discount: Money,
  bonus_code: Text,
  device_type: Text,
  origin: Text,
  items: Type.Array(CartItem),
  payments: Type.Array(CartPayment),
  meta: Meta,
  versions: Type.Array(CartVersion, {
    description: 'At most 20 versions without repeats. The version in force comes first',
  }),
  conflicts: Type.Integer({ description: 'Versions with different money that are not in force' }),
});

export const listCartsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/carts',
  tag: 'Players',
  summary: 'Carts of a player with their items and payments, newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      type: Type.Optional(openSet('Checkout')),
      status: Type.Optional(openSet('Successful')),
      cart_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      counted: Type.Optional(Type.Boolean()),
      conflicting: Type.Optional(Type.Boolean({ description: 'Filter by conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Cart),
});

const cursor = new CursorCodec(
  'carts',
  Type.Object({ at: MicrosShape, cart_key: Type.String({ pattern: '^[0-9a-f]{32}$' }) }),
);

export function cartRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listCartsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: text, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const filter = { ...rest, from: readMoment('from', from), to: readMoment('to', to) };
    const after = cursor.decode(text);
    const rows = await listCarts(pool, player.player_id, filter, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ at, cart_key }) => cursor.encode({ at, cart_key }));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((cart) => present(cart, unmasked)), next };
  });
}

function present({ at, day: _, cart_key: __, item_count: ___, ...cart }: ListedCart, unmasked: boolean) {
  return {
    ...cart,
    timestamp: momentText(at),
    meta: presentMeta(cart.meta, unmasked),
    items: cart.items.map((item) => presentItem(item, unmasked)),
    payments: cart.payments.map(({ type = null, amount = null, base_amount, meta }) => ({
      type,
      amount,
      base_amount,
      meta: presentMeta(meta, unmasked),
    })),
    versions: cart.versions.map(({ timestamp: _, fingerprint: __, ...money }) => money),
  };
}

function presentItem(item: ListedCart['items'][number], unmasked: boolean) {
  const { id = null, type = null, name = null, description = null, amount = null, base_amount } = item;
  const { discount_amount = null, base_discount, bonus_code = null, meta } = item;
  return {
    id,
    type,
    name,
    description,
    amount,
    base_amount,
    discount_amount,
    base_discount,
    bonus_code,
    meta: presentMeta(meta, unmasked),
  };
}

function presentMeta(meta: Readonly<Record<string, unknown>> | null | undefined, unmasked: boolean) {
  return meta === undefined || meta === null || unmasked ? (meta ?? null) : maskMeta(meta);
}
