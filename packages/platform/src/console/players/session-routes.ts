import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedSession, listSessions, sessionScopes } from '../../derive/index.ts';
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

const Session = Type.Object({
  scope: Type.Enum(sessionScopes),
  vendor_id: Nullable(Type.String({ description: 'Null in scope play, like all ids and names of games' })),
  vendor_name: Nullable(Type.String()),
  game_id: Nullable(Type.String()),
  game_name: Nullable(Type.String()),
  game_type: Nullable(Type.String()),
  started_at: Moment,
  ended_at: Moment,
  seconds: Type.Number({ description: 'Time from its first to its last activity. 0 if there was only one' }),
  round_count: Type.Integer({ description: 'Rounds that began in it' }),
  bet_count: Type.Integer(),
  bet_sum: Money,
  win_sum: Money,
});

export const listSessionsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/sessions',
  tag: 'Players',
  summary: 'Sessions of a player, latest start first. Sums are in the base currency',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      scope: Type.Enum([...sessionScopes], {
        default: 'game',
        description: 'game: rounds of one game without a long pause; play: the same over all games',
      }),
      vendor_id: Type.Optional(Type.String({ minLength: 1, description: 'Sessions in games of this vendor' })),
      game_id: Type.Optional(Type.String({ minLength: 1, description: 'Sessions in this game' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Session),
});

const cursor = new CursorCodec(
  'sessions',
  Type.Object({ started_at: MicrosShape, vendor_id: Nullable(Type.String()), game_id: Nullable(Type.String()) }),
);

export function sessionRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listSessionsEndpoint, async ({ brand, params, query }) => {
    const { limit, cursor: text, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const filter = { ...rest, from: readMoment('from', from), to: readMoment('to', to) };
    const before = cursor.decode(text);
    const rows = await listSessions(pool, player, filter, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ started_at, vendor_id, game_id }) =>
      cursor.encode({ started_at, vendor_id, game_id }),
    );
    return { items: items.map(present), next };
  });
}

function present({ started_at, ended_at, ...session }: ListedSession) {
  return {
    ...session,
    started_at: momentText(started_at),
    ended_at: momentText(ended_at),
    seconds: (ended_at - started_at) / 1_000_000,
  };
}
