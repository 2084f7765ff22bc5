import { eventKinds } from '@croupier/contracts';
import { Type } from 'typebox';
import { EventSummary } from '../feed/endpoints.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Money, Nullable } from '../routing/fields.ts';

const Version = Type.Object({
  position: Type.String({ description: 'Its place in the ledger: GET .../feed/:position' }),
  status: Type.String(),
  timestamp: Moment,
  received_at: Moment,
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  in_force: Type.Boolean({ description: 'The version that counts' }),
});

const Contradiction = Type.Object({
  ...EventSummary,
  payment: Nullable(
    Type.Object({
      payment_id: Nullable(Type.String()),
      type: Type.String(),
      status: Type.String({ description: 'What all its events say together by now' }),
      orphan: Type.Boolean({ description: 'Still without a counterpart' }),
      versions: Type.Array(Version, { description: 'All its events, this one and repeats included, oldest first' }),
    }),
  ),
});

const list = {
  method: 'GET',
  tag: 'Feed',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object({ kind: Type.Optional(Type.Enum(eventKinds)), ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Contradiction),
} as const;

export const listConflicts = endpoint({
  ...list,
  path: '/brands/:brand/conflicts',
  summary: 'Events that say other money than an earlier one of their key, the newest first',
});

export const listOrphans = endpoint({
  ...list,
  path: '/brands/:brand/orphans',
  summary: 'Events that ended something that was not there when they came, the newest first',
});
