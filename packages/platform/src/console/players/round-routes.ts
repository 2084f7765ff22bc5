import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedRound, listRounds } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { listRoundsEndpoint } from './round-endpoints.ts';

/** The token of derive's list, which it checks itself. */
const cursor = new CursorCodec('rounds', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9]{1,16}$' }));

const minute = 60_000_000;

export function roundRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listRoundsEndpoint, async ({ brand, params, query }) => {
    const { limit, cursor: after, from, to, open_longer_than, ...rest } = query;
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const bounds = { from: readMoment('from', from), to: readMoment('to', to) };
    const age = open_longer_than === undefined ? {} : { open_since: clock() - open_longer_than * minute };
    const before = after === undefined ? undefined : cursor.decode(after);
    const player = { player_id, base_currency: brand.settings.base_currency };
    const rows = await listRounds(pool, player, { ...rest, ...bounds, ...age }, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.token));
    return { items: items.map(shown), next };
  });
}

function shown({ first_at, last_at, activities, messages, token: _, ...round }: ListedRound) {
  return {
    ...round,
    first_at: momentText(first_at),
    last_at: momentText(last_at),
    activities: activities.map(({ timestamp, fingerprint: _, day: __, ...activity }) => ({
      ...activity,
      timestamp: momentText(timestamp),
    })),
    messages: messages.map(({ timestamp, fingerprint: _, day: __, ...message }) => ({
      ...message,
      timestamp: momentText(timestamp),
    })),
  };
}
