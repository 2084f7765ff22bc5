import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, Nullable, PlayerParams, timeRange } from '../routing/fields.ts';

const Text = Nullable(Type.String());
const Meta = Nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'As sent; masked for callers that may not see personal data',
  }),
);
const openSet = (known: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `Compared without letter case. Known: ${known}` });

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
  { description: 'Not a deposit, whatever its type: deposits are payments' },
);

const CartVersion = Type.Object({
  amount: Money,
  discount_amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
});

const Cart = Type.Object({
  cart_id: Type.String({ description: 'Ids are re-used: several carts may share one' }),
  type: Type.String(),
  status: Type.String(),
  counted: Type.Boolean({ description: 'Part of the totals: a Checkout that was Successful' }),
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  base_amount: Money,
  discount_amount: Type.String({ description: 'Of the cart, or of its items where it tells none; beside the amount' }),
  base_discount: Money,
  bonus_code: Text,
  device_type: Text,
  origin: Text,
  items: Type.Array(CartItem),
  payments: Type.Array(CartPayment),
  meta: Meta,
  versions: Type.Array(CartVersion, { description: 'The one in force first, at most 20; repeats left out' }),
  conflicts: Type.Integer({ description: 'Versions that lost against another one because their money differs' }),
});

export const listCartsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/carts',
  tag: 'Players',
  summary: 'Carts of a player with their items and payments, the newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      type: Type.Optional(openSet('Checkout')),
      status: Type.Optional(openSet('Successful')),
      cart_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      counted: Type.Optional(Type.Boolean()),
      conflicting: Type.Optional(Type.Boolean({ description: 'Only those with, or without, conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Cart),
});
