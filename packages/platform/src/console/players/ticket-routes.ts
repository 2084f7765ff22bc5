import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedTicket, listTickets, ticketStates } from '../../derive/index.ts';
import { maskMeta } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  Moment,
  Money,
  momentText,
  momentTextOrNull,
  Nullable,
  PlayerParams,
  readMoment,
  timeRange,
} from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

const Text = Nullable(Type.String());

const Numbers = Type.Array(Type.Integer());

const Line = Type.Object({
  line_id: Type.String(),
  bought: Type.Boolean({ description: 'False for a line that is in a settlement but not in the Bet' }),
  settled: Type.Boolean(),
  numbers: Type.Optional(Numbers),
  special_numbers: Type.Optional(Numbers),
  is_quick_pick: Type.Optional(Type.Boolean()),
  is_free_bet: Type.Optional(Type.Boolean()),
  matched_numbers: Type.Optional(Numbers),
  matched_special_numbers: Type.Optional(Numbers),
  is_winning_line: Type.Optional(Type.Boolean()),
});

const Settlement = Type.Object({
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  draw_numbers: Numbers,
  draw_special_numbers: Type.Optional(Numbers),
  in_force: Type.Boolean({
    description: 'The latest settlement for at least one line. Its amount counts if the Bet exists',
  }),
});

const Ticket = Type.Object({
  version: Type.Integer({
    description: 'Version of the interface. 1: a ticket of a purchase. 2: a ticket of one draw',
  }),
  status: Type.Enum(ticketStates, {
    description:
      'Version 1: bought, rejected, or unapproved if neither was reported. Version 2: open, partly_settled, settled, or orphan if its Bet is missing',
  }),
  ticket_id: Nullable(Type.String({ description: 'Null for a purchase without tickets' })),
  transaction_id: Nullable(Type.String({ description: 'Version 1: transaction_id of the purchase' })),
  lottery_id: Type.String({ description: 'Version 1: the name of the product' }),
  lottery_name: Text,
  product: Text,
  draw_id: Nullable(Type.String({ description: 'Version 2: draw_id of the draw' })),
  draws: Type.Array(Moment, { description: 'Times of the draws that it takes part in' }),
  timestamp: Moment,
  settled_at: Nullable(Moment),
  amount: Nullable(
    Type.String({
      description: 'Amount of this ticket, in `currency`. Version 1: as sent, else its share of the purchase',
      examples: ['4'],
    }),
  ),
  purchase_amount: Nullable(
    Type.String({ description: 'Version 1: amount of the whole purchase', examples: ['12.50'] }),
  ),
  currency: Text,
  exchange_rate: Nullable(Money),
  base_amount: Nullable(
    Type.String({
      description: 'The amount of this ticket that counts. Version 1: its share of the purchase',
      examples: ['12.50'],
    }),
  ),
  base_bonus: Type.String({ description: 'Part of base_amount that is bonus money', examples: ['2.50'] }),
  base_discount: Type.String({ description: 'Separate from the amount. It is never subtracted', examples: ['0.50'] }),
  base_payout: Money,
  line_count: Type.Integer(),
  settled_line_count: Type.Integer(),
  winning_line_count: Type.Integer(),
  lines: Type.Array(Line, { description: 'Version 2: lines of Bet and settlements, joined by line_id' }),
  settlements: Type.Array(Settlement, { description: 'Version 2: settlements of the ticket, latest first' }),
  bonus_code: Text,
  device_type: Text,
  origin: Type.String(),
  meta: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'As sent. Masked for callers who may not see personal data',
    }),
  ),
  orphans: Type.Integer({ description: 'Settlements whose Bet is missing' }),
  conflicts: Type.Integer({ description: 'Versions or lines with different money that are not in force' }),
});

export const listTicketsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/tickets',
  tag: 'Players',
  summary: 'Lottery tickets of a player, both versions, with lines and draws, newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
      status: Type.Optional(Type.Enum(ticketStates)),
      lottery: Type.Optional(Type.String({ maxLength: 255, description: 'lottery_id of the ticket' })),
      draw: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'draw_id from the list of draws' })),
      orphan: Type.Optional(Type.Boolean({ description: 'Filter by a missing Bet' })),
      conflicting: Type.Optional(Type.Boolean({ description: 'Filter by conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Ticket),
});

/** The token of derive's list, which derive validates. */
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
    const before = cursor.decode(after);
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
