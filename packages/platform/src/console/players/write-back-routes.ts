import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  listOpenWriteBacks,
  listPlayerWriteBacks,
  listWriteAttempts,
  type WriteBackItem,
  writeBackLists,
} from '../../operator/writeback/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, PlayerParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { Attempt, presentAttempt, presentWritten, type Reader, Written } from './write-back-fields.ts';

export const listPlayerWritesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/write-backs',
  tag: 'Players',
  summary:
    'Consents and blocks of a player that were changed in the platform, newest first, with their state at the operator',
  description: '`attempts` has the last 20 calls of each record, newest first, on every page.',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: Type.Object({ ...PageOf(Written).properties, attempts: Type.Array(Attempt) }),
});

export const listBrandWritesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/write-backs',
  tag: 'Operator',
  summary: 'Changed consents and blocks that the operator has not confirmed, oldest first',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      list: Type.Enum([...writeBackLists], {
        default: 'open',
        description:
          'failing: changes that the operator did not store. contradicted: changes that the operator confirmed, but that its look-ups contradict',
      }),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Written),
});

/** The last item_id of the page. */
const ofPlayer = new CursorCodec('player-write-backs', Type.Integer());
const ofBrand = new CursorCodec('write-backs', Type.Integer());

export function writeBackRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listPlayerWritesEndpoint, async ({ access, brand, params, query, language }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const before = ofPlayer.decode(query.cursor);
    const rows = await listPlayerWriteBacks(pool, player.player_id, { limit: query.limit + 1, before });
    const attempts = await listWriteAttempts(pool, player.player_id);
    const reader = { language, unmasked: access.may('personal.read', brand) };
    return {
      ...pageOf(rows, query.limit, ofPlayer, reader),
      attempts: attempts.map((attempt) => presentAttempt(attempt, reader)),
    };
  });

  serve(app, listBrandWritesEndpoint, async ({ access, brand, query, language }) => {
    const { list, limit } = query;
    const after = ofBrand.decode(query.cursor);
    const rows = await listOpenWriteBacks(pool, brand.brand_id, { list, limit: limit + 1, after });
    return pageOf(rows, limit, ofBrand, { language, unmasked: access.may('personal.read', brand) });
  });
}

function pageOf(rows: readonly WriteBackItem[], limit: number, cursor: typeof ofBrand, reader: Reader) {
  const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.item_id));
  return { items: items.map((item) => presentWritten(item, reader)), next };
}
