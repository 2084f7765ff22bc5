import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { listNamedEvents, type NamedKind } from '../../derive/index.ts';
import type { Access } from '../access/access.ts';
import { maskEventBody } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { MicrosShape, Moment, momentText, PlayerParams, readMoment, timeRange } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

const FreeData = (sentBy: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: `As sent by ${sentBy}. Values are masked for callers who may not see personal data`,
  });

const CustomEvent = Type.Object({
  notification_type: Type.String(),
  timestamp: Moment,
  origin: Type.String(),
  data: FreeData('the operator'),
});

const SiteEvent = Type.Object({
  name: Type.String(),
  timestamp: Moment,
  event_id: Type.String({ description: 'Id of the call that tracked it' }),
  data: FreeData('the page'),
});

export const listCustomEventsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/custom-events',
  tag: 'Players',
  summary: 'Custom events of a player, newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      type: Type.Optional(Type.String({ minLength: 1, description: 'Their notification_type' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(CustomEvent),
});

export const listSiteEventsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/site-events',
  tag: 'Players',
  summary: 'Events of a player that a page tracked, newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1 })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(SiteEvent),
});

const Place = Type.Object({ at: MicrosShape, fingerprint: Type.String({ pattern: '^[0-9a-f]{32}$' }) });
const cursors: Readonly<Record<NamedKind, CursorCodec<typeof Place>>> = {
  custom: new CursorCodec('custom events', Place),
  site_event: new CursorCodec('site events', Place),
};

interface Asked {
  access: Access;
  brand: Brand;
  params: { user_id: string };
  query: { limit: number; cursor?: string; from?: string; to?: string };
}

export function namedEventRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  serve(app, listCustomEventsEndpoint, async (call) => {
    const { items, next } = await pageOf(deps, 'custom', call, call.query.type);
    return {
      items: items.map(({ name, own, ...event }) => ({ ...event, notification_type: name, origin: own })),
      next,
    };
  });
  serve(app, listSiteEventsEndpoint, async (call) => {
    const { items, next } = await pageOf(deps, 'site_event', call, call.query.name);
    return { items: items.map(({ own, ...event }) => ({ ...event, event_id: own })), next };
  });
}

/** A page of the player's events of one kind, with their data masked for roles that may not see it. */
async function pageOf({ pool }: ConsoleDeps, kind: NamedKind, call: Asked, name: string | undefined) {
  const { access, brand, params, query } = call;
  const player = await knownPlayer(pool, brand, params.user_id);
  const filter = { name, from: readMoment('from', query.from), to: readMoment('to', query.to) };
  const before = cursors[kind].decode(query.cursor);
  const rows = await listNamedEvents(pool, kind, player.player_id, filter, query.limit + 1, before);
  const page = pageFrom(rows, query.limit, ({ at, fingerprint }) => cursors[kind].encode({ at, fingerprint }));
  const unmasked = access.may('personal.read', brand);
  const items = page.items.map(({ name, at, own, data }) => {
    const masked = maskEventBody(kind, { data }) as { data: typeof data };
    return { name, timestamp: momentText(at), own, data: unmasked ? data : masked.data };
  });
  return { items, next: page.next };
}
