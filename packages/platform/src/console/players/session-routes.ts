import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedSession, listSessions } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { MicrosShape, momentText, Nullable, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { listSessionsEndpoint } from './session-endpoints.ts';

const cursor = new CursorCodec(
  'sessions',
  Type.Object({ started_at: MicrosShape, vendor_id: Nullable(Type.String()), game_id: Nullable(Type.String()) }),
);

export function sessionRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listSessionsEndpoint, async ({ brand, params, query }) => {
    const { limit, cursor: text, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const filter = { ...rest, from: readMoment('from', from), to: readMoment('to', to) };
    const before = text === undefined ? undefined : cursor.decode(text);
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
