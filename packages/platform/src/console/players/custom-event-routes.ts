import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedCustomEvent, listCustomEvents } from '../../derive/index.ts';
import { maskEventBody } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { MicrosShape, momentText, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listCustomEventsEndpoint } from './custom-event-endpoints.ts';
import { knownPlayer } from './known-player.ts';

const cursor = new CursorCodec(
  'custom events',
  Type.Object({ at: MicrosShape, fingerprint: Type.String({ pattern: '^[0-9a-f]{32}$' }) }),
);

export function customEventRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listCustomEventsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: text, from, to, type } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const filter = { notification_type: type, from: readMoment('from', from), to: readMoment('to', to) };
    const before = text === undefined ? undefined : cursor.decode(text);
    const rows = await listCustomEvents(pool, player.player_id, filter, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ at, fingerprint }) => cursor.encode({ at, fingerprint }));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((event) => shown(event, unmasked)), next };
  });
}

function shown({ notification_type, at, origin, data }: ListedCustomEvent, unmasked: boolean) {
  const event = { notification_type, timestamp: momentText(at), origin };
  if (unmasked) return { ...event, data };
  return { ...event, ...(maskEventBody('custom', { data }) as Pick<ListedCustomEvent, 'data'>) };
}
