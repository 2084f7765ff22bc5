import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedTicket, listTickets } from '../../derive/index.ts';
import { maskMeta } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, momentTextOrNull, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { listTicketsEndpoint } from './ticket-endpoints.ts';

/** The token of derive's list, which it checks itself. */
const cursor = new CursorCodec('tickets', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9a-f]{32}-[0-9]{1,9}$' }));

export function ticketRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listTicketsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: after, from, to, status, lottery, version, ...rest } = query;
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const filter = {
      ...rest,
      version: version as 1 | 2 | undefined,
      state: status,
      lottery_id: lottery,
      from: readMoment('from', from),
      to: readMoment('to', to),
    };
    const before = after === undefined ? undefined : cursor.decode(after);
    const rows = await listTickets(pool, player_id, filter, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.token));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((ticket) => present(ticket, unmasked)), next };
  });
}

function present(
  { state: status, at, settled_at, draws, settlements, meta, token: _, ...ticket }: ListedTicket,
  unmasked: boolean,
) {
  return {
    ...ticket,
    status,
    timestamp: momentText(at),
    settled_at: momentTextOrNull(settled_at),
    draws: draws.map(momentText),
    settlements: settlements.map(({ at, ...settlement }) => ({ ...settlement, timestamp: momentText(at) })),
    meta: meta === null || unmasked ? meta : maskMeta(meta),
  };
}
