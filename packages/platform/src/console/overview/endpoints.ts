import { eventKinds } from '@croupier/contracts';
import { Type } from 'typebox';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

const PublishDelay = Type.Object(
  {
    p50_ms: Type.Number(),
    p99_ms: Type.Number(),
    target_ms: Type.Number(),
    events: Type.Integer({ description: 'Events that were measured' }),
  },
  {
    description:
      'From the timestamp of an event to its receipt, over 24 hours; retries and imports of the past left out',
  },
);

const stepState = Type.Enum(['not_started', 'failing', 'warning', 'done'], {
  description:
    'not_started: nothing was tried. failing: the latest try went wrong. warning: it works and the notes say what needs a person. done: it works',
});

const judged = {
  state: stepState,
  last_success: Nullable(Moment),
  last_error: Nullable(Type.Object({ at: Moment, message: Type.String() })),
  publish_delay: Nullable(PublishDelay),
  notes: Type.Array(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      setting: Nullable(Type.String({ description: 'The brand setting that fits' })),
    }),
  ),
};

const GoLive = Type.Object({
  ready: Type.Boolean({ description: 'No step is missing or failing' }),
  steps: Type.Array(Type.Object({ step: Type.Integer(), item: Type.String(), ...judged }), {
    description: 'The seven integration steps of the interface',
  }),
  further: Type.Array(Type.Object({ kind: Type.Enum(eventKinds), ...judged }), {
    description: 'Event kinds that are sent though no step asks for them, judged the same way',
  }),
  proposals: Type.Array(Type.Object({ setting: Type.String(), value: Type.String(), message: Type.String() })),
});

const Rate = Type.Object({
  kind: Type.Enum(eventKinds),
  per_second: Type.Number({ description: 'Events a second over the last five minutes' }),
  events: Type.Integer({ description: 'Of the last 24 hours, like the counts below' }),
  repeats: Type.Integer(),
  conflicts: Type.Integer(),
  orphans: Type.Integer({ description: 'Whose counterpart has not come since' }),
  unreadable: Type.Integer(),
  flagged: Type.Integer(),
  quarantined: Type.Integer({ description: 'Waiting for a person, whatever their age' }),
  last_received_at: Nullable(Moment),
  publish_delay: Nullable(PublishDelay),
});

const Alarm = Type.Object({
  code: Type.String(),
  severity: Type.Enum(['critical', 'warning']),
  message: Type.String(),
  since: Nullable(Moment),
  list: Nullable(Type.String({ description: 'The list behind it, below the address of the brand' })),
});

export const showOverview = endpoint({
  method: 'GET',
  path: '/brands/:brand/overview',
  tag: 'Overview',
  summary: 'Rates, lag, publish delays, alarms and the go-live steps of a brand',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    at: Moment,
    events_per_second: Type.Number({ description: 'All kinds, over the last five minutes' }),
    lag: Type.Object({
      seconds: Type.Number({ description: 'Age of the oldest event that is not derived; 0 when there is none' }),
      blocks: Type.Integer({ description: 'Blocks of the ledger that are not derived, of all brands' }),
    }),
    kinds: Type.Array(Rate),
    alarms: Type.Array(Alarm),
    go_live: GoLive,
  }),
});
