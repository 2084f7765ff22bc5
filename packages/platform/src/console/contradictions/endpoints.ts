import { eventKinds } from '@croupier/contracts';
import { Type } from 'typebox';
import { factWords } from '../../derive/index.ts';
import { EventSummary, Summary } from '../feed/endpoints.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Money, Nullable } from '../routing/fields.ts';

const Version = Type.Object({
  position: Type.String({ description: 'Its place in the ledger: GET .../feed/:position' }),
  status: Nullable(Type.String({ description: 'null for kinds without a status' })),
  timestamp: Moment,
  received_at: Moment,
  amount: Nullable(Money),
  currency: Nullable(Type.String()),
  exchange_rate: Nullable(Money),
  summary: Summary,
  in_force: Type.Boolean({ description: 'It counts: its amounts are those of the fact' }),
});

const Contradiction = Type.Object({
  ...EventSummary,
  fact: Nullable(
    Type.Object(
      {
        type: Type.Enum(factWords),
        key: Type.Record(Type.String(), Type.String(), {
          description: 'What names it',
          examples: [{ payment_id: '23541', type: 'Credit' }],
        }),
        status: Type.String({ description: 'What all its events say together by now, in the words of its list' }),
        orphan: Type.Boolean({ description: 'Still without a counterpart' }),
        versions: Type.Array(Version, { description: 'Its events, this one and repeats included, oldest first' }),
      },
      {
        description:
          'What the event belongs to; null when that is no longer kept, and for a payment without payment_id',
      },
    ),
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
