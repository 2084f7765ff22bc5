import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  listOpenWriteBacks,
  listPlayerWriteBacks,
  listWriteAttempts,
  type WriteBackItem,
} from '../../operator/writeback/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { listBrandWritesEndpoint, listPlayerWritesEndpoint } from './write-back-endpoints.ts';
import { presentAttempt, presentWritten } from './write-back-fields.ts';

/** The last item_id of the page. */
const ofPlayer = new CursorCodec('player-write-backs', Type.Integer());
const ofBrand = new CursorCodec('write-backs', Type.Integer());

export function writeBackRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listPlayerWritesEndpoint, async ({ access, brand, params, query }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const before = query.cursor === undefined ? undefined : ofPlayer.decode(query.cursor);
    const rows = await listPlayerWriteBacks(pool, player.player_id, { limit: query.limit + 1, before });
    const attempts = await listWriteAttempts(pool, player.player_id);
    const unmasked = access.may('personal.read', brand);
    return {
      ...pageOf(rows, query.limit, ofPlayer, unmasked),
      attempts: attempts.map((attempt) => presentAttempt(attempt, unmasked)),
    };
  });

  serve(app, listBrandWritesEndpoint, async ({ access, brand, query }) => {
    const { list, limit } = query;
    const after = query.cursor === undefined ? undefined : ofBrand.decode(query.cursor);
    const rows = await listOpenWriteBacks(pool, brand.brand_id, { list, limit: limit + 1, after });
    return pageOf(rows, limit, ofBrand, access.may('personal.read', brand));
  });
}

function pageOf(rows: readonly WriteBackItem[], limit: number, cursor: typeof ofBrand, unmasked: boolean) {
  const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.item_id));
  return { items: items.map((item) => presentWritten(item, unmasked)), next };
}
