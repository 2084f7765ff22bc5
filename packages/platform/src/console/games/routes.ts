import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listGames, listVendors } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

const search = (where: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: `Part of ${where}, in any letter case` }));

const Game = Type.Object({
  vendor_id: Type.String(),
  vendor_name: Nullable(Type.String()),
  game_id: Type.String(),
  name: Nullable(Type.String({ description: 'Null until an event contains it' })),
  type: Nullable(Type.String()),
});

export const listGamesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/games',
  tag: 'Games',
  summary: 'Every game that was played, with the name from the latest events',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    {
      search: search("the game's id or name"),
      vendor_id: Type.Optional(Type.String({ minLength: 1 })),
      type: Type.Optional(Type.String({ minLength: 1, description: 'Letter case is ignored' })),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Game),
});

const Vendor = Type.Object({
  vendor_id: Type.String(),
  name: Nullable(Type.String()),
  games: Type.Integer({ description: 'Its games that were played' }),
});

export const listVendorsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/vendors',
  tag: 'Games',
  summary: 'Vendors of the games that were played. Payment vendors are not included',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object({ search: search("the vendor's id or name"), ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Vendor),
});

const gamesCursor = new CursorCodec('games', Type.Object({ vendor_id: Type.String(), game_id: Type.String() }));
const vendorsCursor = new CursorCodec('vendors', Type.String());

export function gameRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listGamesEndpoint, async ({ brand, query }) => {
    const { limit, cursor, ...filter } = query;
    const after = gamesCursor.decode(cursor);
    const rows = await listGames(pool, brand.brand_id, filter, limit + 1, after);
    return pageFrom(rows, limit, ({ vendor_id, game_id }) => gamesCursor.encode({ vendor_id, game_id }));
  });

  serve(app, listVendorsEndpoint, async ({ brand, query }) => {
    const { limit, cursor, ...filter } = query;
    const after = vendorsCursor.decode(cursor);
    const rows = await listVendors(pool, brand.brand_id, filter, limit + 1, after);
    return pageFrom(rows, limit, ({ vendor_id }) => vendorsCursor.encode(vendor_id));
  });
}
