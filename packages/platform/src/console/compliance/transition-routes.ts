import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listTransitions } from '../../operator/protection/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listTransitionsEndpoint } from './transition-endpoints.ts';

const codec = new CursorCodec('transitions', Type.Integer());

export function transitionRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listTransitionsEndpoint, async ({ brand, query }) => {
    const { limit, cursor, user_id, kind, waiting } = query;
    const before = cursor === undefined ? undefined : codec.decode(cursor);
    const player_id = user_id === undefined ? undefined : (await knownPlayer(pool, brand, user_id)).player_id;
    const rows = await listTransitions(pool, brand.brand_id, { player_id, kind, waiting }, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ transition_id }) => codec.encode(transition_id));
    return { items: items.map((item) => ({ ...item, at: momentText(item.at) })), next };
  });
}
