import { eventKinds } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import type { AnswerOf } from '../../http/endpoints/endpoint.ts';
import type { Language } from '../../language.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { wordsOfField } from '../routing/wrong-fields.ts';
import { alarmsOf } from './alarms.ts';
import { concernCodes, concernsOf } from './concerns.ts';
import type { LastError, PublishDelay } from './event-notes.ts';
import { type KindFacts, type OverviewFacts, readFacts } from './facts.ts';
import { type FurtherKind, furtherKinds, goLiveSteps, readyToGoLive } from './go-live.ts';
import { JoinedReads } from './joined-reads.ts';
import { proposalsFor } from './proposals.ts';

const PublishDelayShown = Type.Object(
  {
    p50_ms: Type.Number(),
    p99_ms: Type.Number(),
    target_ms: Type.Number(),
    events: Type.Integer({ description: 'Number of measured events' }),
  },
  {
    description: 'Time from the timestamp of an event to its receipt, over 24 hours, without retries and imports',
  },
);

const stepState = Type.Enum(['not_started', 'failing', 'warning', 'done'], {
  description:
    'not_started: no call was made. failing: the latest call failed. warning: it works, and the notes list what a person should check. done: it works',
});

const judged = {
  state: stepState,
  last_success: Nullable(Moment),
  last_error: Nullable(
    Type.Object({
      at: Moment,
      message: Type.String(),
      messages: Type.Array(Type.String(), { description: 'The errors of the last refused event, one per field' }),
    }),
  ),
  publish_delay: Nullable(PublishDelayShown),
  notes: Type.Array(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      setting: Nullable(Type.String({ description: 'The matching brand setting' })),
    }),
  ),
};

const GoLive = Type.Object({
  ready: Type.Boolean({ description: 'True if no step is missing or failing' }),
  steps: Type.Array(Type.Object({ step: Type.Integer(), item: Type.String(), ...judged }), {
    description: 'The seven integration steps of the interface',
  }),
  further: Type.Array(Type.Object({ kind: Type.Enum(eventKinds), ...judged }), {
    description: 'Event kinds without a step, judged in the same way',
  }),
  proposals: Type.Array(Type.Object({ setting: Type.String(), value: Type.String(), message: Type.String() })),
});

const Rate = Type.Object({
  kind: Type.Enum(eventKinds),
  per_second: Type.Number({ description: 'Events per second over the last five minutes' }),
  events: Type.Integer({ description: 'Over the last 24 hours, like the counts below' }),
  repeats: Type.Integer(),
  conflicts: Type.Integer(),
  orphans: Type.Integer({ description: 'Events whose counterpart is still missing' }),
  unreadable: Type.Integer(),
  flagged: Type.Integer(),
  quarantined: Type.Integer({ description: 'Waiting for a person, of any age' }),
  last_received_at: Nullable(Moment),
  publish_delay: Nullable(PublishDelayShown),
});

const Alarm = Type.Object({
  code: Type.String(),
  severity: Type.Enum(['critical', 'warning']),
  message: Type.String(),
  since: Nullable(Moment),
  list: Nullable(Type.String({ description: "Path of the list behind it, below the brand's path" })),
});

const Concern = Type.Object({
  code: Type.Enum([...concernCodes]),
  count: Type.Integer({ description: 'Counted up to 10,000. Failed messages: those of the last 24 hours' }),
  oldest_at: Nullable(Moment),
  list: Type.String({ description: "Path of the list behind it, below the brand's path" }),
});

export const showOverview = endpoint({
  method: 'GET',
  path: '/brands/:brand/overview',
  tag: 'Overview',
  summary: 'Rates, lag, publish delays, alarms and the go-live steps of a brand',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    {
      max_age: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 60,
          description:
            'In seconds. If an earlier answer is at most this old, it is returned immediately. Without this field, the call may wait up to 2 s, and the answer contains everything that was stored before the call',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({
    at: Moment,
    events_per_second: Type.Number({ description: 'All kinds, over the last five minutes' }),
    lag: Type.Object({
      seconds: Type.Number({ description: 'Age of the oldest event that is not derived. 0 if there is none' }),
      blocks: Type.Integer({ description: 'Blocks of the ledger that are not derived, of all brands' }),
    }),
    minutes: Type.Array(Type.Object({ at: Moment, events: Type.Integer() }), {
      description: 'Events of all kinds in each of the last 60 minutes, the oldest first; the last one is not over yet',
    }),
    concerns: Type.Array(Concern, {
      description: 'Numbers of items that wait, failed or differ. Each is present even if it is 0',
    }),
    kinds: Type.Array(Rate),
    alarms: Type.Array(Alarm),
    go_live: GoLive,
  }),
});

export function overviewRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const joined = new JoinedReads<AnswerOf<typeof showOverview>>();
  serve(app, showOverview, ({ brand, language, query: { max_age } }) => {
    const read = async () => present(await readFacts(deps, brand), brand, language);
    return joined.join(`${brand.brand_id} ${language}`, read, max_age === undefined ? undefined : max_age * 1_000);
  });
}

function present(
  { at, lag, kinds, go_live, alarms, concerns, minutes }: OverviewFacts,
  { settings }: Brand,
  language: Language,
): AnswerOf<typeof showOverview> {
  const steps = goLiveSteps(go_live);
  return {
    at: momentText(at),
    events_per_second: kinds.reduce((sum, { per_second }) => sum + per_second, 0),
    lag: {
      seconds: lag.oldest_received_at === null ? 0 : Math.max(0, at - lag.oldest_received_at) / 1_000_000,
      blocks: lag.blocks,
    },
    minutes: minutes.map((each) => ({ ...each, at: momentText(each.at) })),
    concerns: concernsOf(concerns).map((each) => ({ ...each, oldest_at: momentTextOrNull(each.oldest_at) })),
    kinds: kinds.map(presentKind),
    alarms: alarmsOf(alarms).map((alarm) => ({
      ...alarm,
      message: alarm.message(language),
      since: momentTextOrNull(alarm.since),
    })),
    go_live: {
      ready: readyToGoLive(steps),
      steps: steps.map(({ step, item, ...rest }) => ({ step, item: item(language), ...presentJudged(rest, language) })),
      further: furtherKinds(go_live).map(({ kind, ...rest }) => ({ kind, ...presentJudged(rest, language) })),
      proposals: proposalsFor(settings).map((each) => ({ ...each, message: each.message(language) })),
    },
  };
}

function presentKind(facts: KindFacts) {
  const { kind, per_second, events, repeats, conflicts, orphans, unreadable, flagged, quarantined } = facts;
  return {
    kind,
    per_second,
    events,
    repeats,
    conflicts,
    orphans,
    unreadable,
    flagged,
    quarantined,
    last_received_at: momentTextOrNull(facts.last_success),
    publish_delay: presentDelay(facts.publish_delay),
  };
}

function presentJudged(
  { state, last_success, last_error, publish_delay, notes }: Omit<FurtherKind, 'kind'>,
  language: Language,
) {
  return {
    state,
    last_success: momentTextOrNull(last_success),
    last_error: last_error && presentError(last_error, language),
    publish_delay: presentDelay(publish_delay),
    notes: notes.map((note) => ({ ...note, message: note.message(language) })),
  };
}

function presentError(
  { at, message, errors }: LastError,
  language: Language,
): { at: string; message: string; messages: string[] } {
  const messages = errors?.map((error) => wordsOfField(error)[language]) ?? [message];
  return { at: momentText(at), message: messages.join(' '), messages };
}

function presentDelay(delay: PublishDelay | null) {
  if (delay === null) return null;
  const { p50, p99, target, events } = delay;
  return { p50_ms: p50 / 1_000, p99_ms: p99 / 1_000, target_ms: target / 1_000, events };
}
