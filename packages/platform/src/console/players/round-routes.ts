import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedRound, listBrandRounds, listRounds } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { MicrosShape, momentText, readMoment } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { listBrandRoundsEndpoint, listRoundsEndpoint } from './round-endpoints.ts';

/** The token of derive's list, which it checks itself. */
const cursor = new CursorCodec('rounds', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9]{1,16}$' }));

/** The order is part of it: its place means nothing in the other one. */
const brandCursor = new CursorCodec(
  'brand-rounds',
  Type.Object({
    order: Type.Enum(['newest', 'oldest']),
    first_at: MicrosShape,
    player_id: Type.Integer({ minimum: 1 }),
    round_key: Type.Integer({ minimum: 0 }),
  }),
);

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
    return { items: items.map(({ token: _, ...round }) => present(round)), next };
  });

  serve(app, listBrandRoundsEndpoint, async ({ brand, query }) => {
    const { limit, order, unpriced, open_longer_than, vendor_id, game_id } = query;
    if (unpriced !== true && open_longer_than === undefined) {
      const message = 'unpriced=true or open_longer_than is needed: other rounds are listed by player only';
      throw new Refused('invalid_request', message, { errors: [{ path: 'unpriced', rule: 'required', message }] });
    }
    const after = query.cursor === undefined ? undefined : brandCursor.decode(query.cursor);
    if (after !== undefined && after.order !== order) {
      throw new Refused('invalid_request', 'the cursor belongs to the list in the other order');
    }
    const open_since = open_longer_than === undefined ? undefined : clock() - open_longer_than * minute;
    const owner = { brand_id: brand.brand_id, base_currency: brand.settings.base_currency };
    const filter = { unpriced, open_since, vendor_id, game_id };
    const { rounds, next } = await listBrandRounds(pool, owner, filter, { limit, order, after });
    return { items: rounds.map(present), next: next && brandCursor.encode({ order, ...next }) };
  });
}

function present<R extends Omit<ListedRound, 'token'>>({ first_at, last_at, activities, messages, ...round }: R) {
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
