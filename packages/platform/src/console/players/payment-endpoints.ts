import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, Nullable, PlayerParams, timeRange } from '../routing/fields.ts';

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
  status: Type.Enum(statuses, { description: 'What all its events say together' }),
  amount: Money,
  currency: Type.String(),
  base_amount: Money,
  exchange_rate: Money,
  timestamp: Moment,
  counted: Type.Boolean({ description: 'Part of the totals: an Approved is in force' }),
  orphan: Type.Boolean({ description: 'Ended without ever having begun; without effect' }),
  reapproved: Type.Boolean({ description: 'Approved again after a Rollback' }),
  vendor_id: Type.String(),
  vendor_name: Nullable(Type.String()),
  origin: Type.String(),
  bonus_code: Nullable(Type.String()),
  note: Nullable(Type.String()),
  base_fee: Money,
  events: Type.Array(PaymentEvent, {
    description:
      'Its versions, repeats left out, in the order of their timestamps; of one status and timestamp at most 20',
  }),
  conflicts: Type.Integer({ description: 'Versions that lost against another one because their money differs' }),
});

export const listPaymentsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/payments',
  tag: 'Players',
  summary: 'Deposits and withdrawals of a player, the newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      type: Type.Optional(Type.Enum(types)),
      status: Type.Optional(Type.Enum(statuses)),
      orphan: Type.Optional(Type.Boolean()),
      conflicting: Type.Optional(Type.Boolean({ description: 'Only those with, or without, conflicts' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Payment),
});
