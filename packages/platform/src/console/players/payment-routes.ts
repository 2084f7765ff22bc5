import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedPayment, listPayments } from '../../derive/index.ts';
import { maskText } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, momentText, Nullable, PlayerParams, readMoment, timeRange } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

const types = ['Credit', 'Debit'] as const;

const statuses = ['Requested', 'Approved', 'Rejected', 'Cancelled', 'Rollback'] as const;

const PaymentEvent = Type.Object({
  status: Type.Enum(statuses),
  timestamp: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
});

const Payment = Type.Object({
  payment_id: Nullable(Type.String()),
  type: Type.Enum(types, { description: 'Credit is a deposit, Debit a withdrawal' }),
  status: Type.Enum(statuses, { description: 'Status from all its events' }),
  amount: Money,
  currency: Type.String(),
  base_amount: Money,
  exchange_rate: Money,
  timestamp: Moment,
  counted: Type.Boolean({
    description: 'True if the payment counts in totals, because its Approved event is in force',
  }),
  orphan: Type.Boolean({ description: 'Final status without an earlier event. It has no effect' }),
  reapproved: Type.Boolean({ description: 'Approved again after a Rollback' }),
  vendor_id: Type.String(),
  vendor_name: Nullable(Type.String()),
  origin: Type.String(),
  bonus_code: Nullable(Type.String()),
  note: Nullable(Type.String()),
  base_fee: Money,
  events: Type.Array(PaymentEvent, {
    description: 'Its versions without repeats, ordered by timestamp; at most 20 per status and timestamp',
  }),
  conflicts: Type.Integer({ description: 'Versions with different money that are not in force' }),
});

export const listPaymentsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/payments',
  tag: 'Players',
  summary: 'Deposits and withdrawals of a player, newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      type: Type.Optional(Type.Enum(types)),
      status: Type.Optional(Type.Enum(statuses)),
      orphan: Type.Optional(Type.Boolean()),
      conflicting: Type.Optional(Type.Boolean({ description: 'Filter by conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Payment),
});

/** The token of derive's list, which derive validates. */
const cursor = new CursorCodec('payments', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9a-f]{32}$' }));

export function paymentRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listPaymentsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: after, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const bounds = { from: readMoment('from', from), to: readMoment('to', to) };
    const before = cursor.decode(after);
    const rows = await listPayments(pool, player.player_id, { ...rest, ...bounds }, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.token));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((payment) => present(payment, unmasked)), next };
  });
}

function present({ at, day: _, token: __, events, note, ...payment }: ListedPayment, unmasked: boolean) {
  return {
    ...payment,
    timestamp: momentText(at),
    note: unmasked ? note : maskText(note),
    events: events.map(({ status, timestamp, amount, currency, exchange_rate }) => ({
      status,
      amount,
      currency,
      exchange_rate,
      timestamp: momentText(timestamp),
    })),
  };
}
