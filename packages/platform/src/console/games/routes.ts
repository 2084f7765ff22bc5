import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listGames, listVendors } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { serve } from '../routing/serve.ts';
import { listGamesEndpoint, listVendorsEndpoint } from './endpoints.ts';

const gamesCursor = new CursorCodec('games', Type.Object({ vendor_id: Type.String(), game_id: Type.String() }));
const vendorsCursor = new CursorCodec('vendors', Type.String());

export function gameRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listGamesEndpoint, async ({ brand, query }) => {
    const { limit, cursor, ...filter } = query;
    const after = cursor === undefined ? undefined : gamesCursor.decode(cursor);
    const rows = await listGames(pool, brand.brand_id, filter, limit + 1, after);
    return pageFrom(rows, limit, ({ vendor_id, game_id }) => gamesCursor.encode({ vendor_id, game_id }));
  });

  serve(app, listVendorsEndpoint, async ({ brand, query }) => {
    const { limit, cursor, ...filter } = query;
    const after = cursor === undefined ? undefined : vendorsCursor.decode(cursor);
    const rows = await listVendors(pool, brand.brand_id, filter, limit + 1, after);
    return pageFrom(rows, limit, ({ vendor_id }) => vendorsCursor.encode(vendor_id));
  });
}
