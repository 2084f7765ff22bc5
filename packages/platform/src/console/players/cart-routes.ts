import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedCart, listCarts } from '../../derive/index.ts';
import { maskMeta } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { MicrosShape, momentText, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listCartsEndpoint } from './cart-endpoints.ts';
import { knownPlayer } from './known-player.ts';

const cursor = new CursorCodec(
  'carts',
  Type.Object({ at: MicrosShape, cart_key: Type.String({ pattern: '^[0-9a-f]{32}$' }) }),
);

export function cartRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listCartsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: text, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const filter = { ...rest, from: readMoment('from', from), to: readMoment('to', to) };
    const after = text === undefined ? undefined : cursor.decode(text);
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
