import { eventKinds, flags } from '@croupier/contracts';
import { Type } from 'typebox';
import { journalDaysKept, verdicts } from '../../derive/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, timeRange } from '../routing/fields.ts';

/** `pending`: the event is stored and derive has not come to it yet. */
const soughtVerdicts = [...verdicts, 'pending'] as const;
/** `past`: it came before all that the journal still tells of. */
const listedVerdicts = [...soughtVerdicts, 'past'] as const;

export const Summary = Type.String({
  description: 'What it says in one line, without anything personal',
  examples: ['Bet of 2 EUR in Lucky Lanterns (Example Games), round 55512'],
});

/** What lists tell of an event. */
export const EventSummary = {
  position: Type.String({ description: 'Its place in the ledger', examples: ['3-1207-14'] }),
  kind: Type.Enum(eventKinds),
  user_id: Nullable(Type.String()),
  player_id: Nullable(Type.Integer()),
  origin: Nullable(Type.String()),
  timestamp: Nullable(Moment),
  received_at: Moment,
  publish_delay_ms: Nullable(
    Type.Number({ description: 'From its own timestamp to its receipt; negative when it is ahead of the clock' }),
  ),
  verdict: Type.Enum(listedVerdicts),
  flags: Type.Array(Type.Enum(flags)),
  remarks: Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() }), {
    description:
      'Fields that were left out for their form, and unknown ones that look like known ones, with the suggestion',
  }),
  summary: Nullable(Summary),
};

export const listFeed = endpoint({
  method: 'GET',
  path: '/brands/:brand/feed',
  tag: 'Feed',
  summary: 'Every accepted event, the newest first; nothing is sampled',
  description:
    'A page may hold fewer items than asked for, even none, although there are more: only `next` tells the end. Refused events are in quarantine.',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object(
    {
      kind: Type.Optional(Type.Enum(eventKinds)),
      user_id: Type.Optional(Type.String()),
      origin: Type.Optional(Type.String()),
      verdict: Type.Optional(
        Type.Enum(soughtVerdicts, {
          description: `Told of the last ${journalDaysKept} days; earlier events have the verdict past`,
        }),
      ),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Type.Object(EventSummary)),
});

export const showEvent = endpoint({
  method: 'GET',
  path: '/brands/:brand/feed/:position',
  tag: 'Feed',
  summary: 'One event with its body, and what became of it',
  may: 'event.read',
  params: Type.Object({ ...BrandParams.properties, position: Type.String() }),
  status: 200,
  answer: Type.Object({
    ...EventSummary,
    request: Type.Object({ method: Type.String(), path: Type.String() }, { description: 'The call that brought it' }),
    body: Type.Unknown({ description: 'As it was sent; personal data masked for roles that may not see it' }),
    body_text: Nullable(Type.String({ description: 'The same byte by byte; null where something had to be masked' })),
    derived: Type.Object(
      {
        flags: Type.Array(Type.Object({ flag: Type.String(), meaning: Type.String() })),
        meaning: Type.String({ description: 'What the verdict says, for people' }),
      },
      { description: 'What became of it' },
    ),
  }),
});

const Parked = Type.Object({
  user_id: Nullable(Type.String({ description: 'null where the event cannot be read' })),
  cause: Type.Enum(['unreadable', 'failing'], {
    description: 'unreadable: they say nothing that can be read. failing: applying them ends in an error',
  }),
  reason: Type.String(),
  parked_at: Moment,
  attempts: Type.Integer(),
  retry_at: Moment,
  events: Type.Integer({ description: 'Events that wait' }),
  oldest: Type.Object({ kind: Type.String(), position: Type.String(), received_at: Moment }),
});

export const listParkedEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/parked',
  tag: 'Feed',
  summary: 'Events that cannot be applied at the moment, by player and cause, the oldest first',
  description: 'They are tried again by themselves.',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Parked),
});
