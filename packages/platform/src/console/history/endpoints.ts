import { eventKinds } from '@croupier/contracts';
import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, timeRange } from '../routing/fields.ts';

/** Of one call; the answer tells how many it was, and whoever wants more calls again. */
export const maxImported = 10_000;

const Day = Type.Object({
  day: Type.String({ examples: ['2026-05-01'], description: 'UTC' }),
  state: Type.Enum(['open', 'closed', 'packed', 'sealing', 'held', 'sealed', 'dropped']),
  reason: Nullable(Type.String({ description: 'Why it is held, or could not be dropped yet' })),
  since: Nullable(Moment),
  events: Nullable(Type.Integer({ description: 'Of all brands. Null until the day is packed' })),
  bytes: Nullable(Type.Integer({ description: 'On the disk. Null once it is dropped' })),
});

export const showHistoryEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/history',
  tag: 'History',
  summary: 'Days of the ledger, which all brands share: what is kept in which form, and what is held back',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    history_days: Type.Integer({ description: "The brand's setting" }),
    longest_history_days: Type.Integer({ description: 'Of all brands: what the ledger keeps' }),
    too_old: Type.Integer({
      description: 'Events of the brand that wait for a person; 10,000 stands for that many or more',
    }),
    days: Type.Array(Day, { description: 'The newest first; dropped ones for a year' }),
  }),
});

const TooOld = Type.Object({
  position: Type.String({ description: 'Its body: brands/:brand/feed/:position' }),
  kind: Type.Enum([...eventKinds]),
  user_id: Type.String(),
  timestamp: Moment,
  received_at: Moment,
  importable: Type.Boolean({ description: 'False when its day of the ledger is about to be dropped' }),
});

const choice = {
  kind: Type.Optional(Type.Enum([...eventKinds])),
  user_id: Type.Optional(Type.String({ minLength: 1 })),
  ...timeRange,
};

export const listTooOldEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/too-old',
  tag: 'History',
  summary: 'Events older than the history of the brand, without effect, the last received first',
  description: 'from and to are bounds of the timestamps of the events.',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object({ ...choice, ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(TooOld),
});

export const importTooOldEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/too-old/import',
  tag: 'History',
  summary: 'Let too-old events have their effect: those at the given positions, or all that match',
  description: `At most ${maxImported.toLocaleString('en')} of a call, the oldest first; a worker applies about 200 a second. Nobody is contacted because of them.`,
  may: 'event.repair',
  params: BrandParams,
  body: Type.Object(
    {
      positions: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: maxImported })),
      all: Type.Optional(Type.Literal(true, { description: 'Needed when neither positions nor a filter is given' })),
      ...choice,
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Type.Object({
    imported: Type.Integer(),
    left: Type.Integer({ description: 'Too-old events of the brand that remain; 10,000 stands for that many or more' }),
  }),
});
