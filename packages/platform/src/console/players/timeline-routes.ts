import { eventKinds, flags } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { intentStates } from '../../actions/index.ts';
import { emailStates, entryStates, messagePurposes, notificationStates } from '../../channels/index.ts';
import { verdicts } from '../../derive/index.ts';
import { type Channel, channels, type Purpose, purposes } from '../../gate/index.ts';
import type { Language } from '../../language.ts';
import { bucketOf, playerHash } from '../../ledger/index.ts';
import { lookUps } from '../../operator/judging/index.ts';
import { itemStates, writtenRecords } from '../../operator/players/index.ts';
import { transitionKinds } from '../../operator/protection/index.ts';
import { maskEventBody } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { DescribedEvent } from '../feed/described-event.ts';
import { describeEntries } from '../feed/read-feed.ts';
import { Summary } from '../feed/schemas.ts';
import { withGameNames } from '../feed/with-game-names.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  MicrosShape,
  Moment,
  Money,
  momentText,
  Nullable,
  PlayerParams,
  readMoment,
  timeRange,
} from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { CauseOut, Transition as SegmentTransition } from '../segments/fields.ts';
import { presentCause } from '../segments/present.ts';
import { knownPlayer } from './known-player.ts';
import { readTimeline } from './read-timeline.ts';
import { type DecisionItem, type SegmentItem, type Source, sources, type TimelineItem } from './timeline.ts';

const otherItemTypes = [
  'refresh',
  'change',
  'transition',
  'bonus_intent',
  'message',
  'run',
  'segment',
  'tag',
  'decision',
  'staff',
] as const;

const Event = Type.Object({
  type: Type.Literal('event'),
  at: Type.String({ format: 'date-time', description: "The event's own timestamp" }),
  kind: Type.Enum(eventKinds),
  position: Type.String({ description: 'Its position in the ledger: GET .../feed/:position' }),
  received_at: Moment,
  verdict: Type.Enum(verdicts),
  flags: Type.Array(Type.Enum(flags)),
  summary: Nullable(Summary),
  body: Type.Optional(Type.Unknown({ description: 'With `bodies=true`. Null if the ledger no longer has it' })),
});

export const Refresh = Type.Object({
  type: Type.Literal('refresh'),
  at: Moment,
  look_up: Type.Enum(lookUps),
  outcome: Type.Enum(['succeeded', 'failed']),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
});

export const Change = Type.Object({
  type: Type.Literal('change'),
  at: Moment,
  change_id: Type.Integer(),
  record: Type.Enum([...writtenRecords]),
  changed: Type.String({ description: 'Type of the consent or block' }),
  wanted: Type.Boolean({ description: 'opted_in of a consent, active of a block' }),
  source: Type.Enum(['unsubscribe', 'site', 'staff']),
  state: Type.Enum([...itemStates], { description: 'State at the operator: see write-backs' }),
});

export const Transition = Type.Object({
  type: Type.Literal('transition'),
  at: Moment,
  kind: Type.Enum(transitionKinds, { description: 'A protection of the player began or ended, over all sources' }),
  consent_type: Nullable(Type.String()),
  source: Type.String({ description: 'Source of the change: look_up, reconciliation, unsubscribe, site or staff' }),
});

export const BonusIntent = Type.Object({
  type: Type.Literal('bonus_intent'),
  at: Type.String({ format: 'date-time', description: 'Start of this state' }),
  intent_id: Type.String(),
  bonus_code: Type.String(),
  amount: Nullable(Money),
  currency: Nullable(Type.String()),
  state: Type.Enum([...intentStates]),
  reason: Nullable(Type.String()),
  created_by: Type.String({ description: 'An account, or `campaign <code>`' }),
});

export const Message = Type.Object({
  type: Type.Literal('message'),
  at: Type.String({ format: 'date-time', description: 'Start of this state' }),
  message_id: Type.Integer(),
  event: Nullable(Type.Enum(['message', 'shoutout', 'inbox'], { description: 'Null: not on the site' })),
  channel: Type.Enum(channels.filter((one) => one !== 'bonus')),
  purpose: Type.Enum([...messagePurposes]),
  campaign_id: Nullable(Type.String()),
  state: Type.Enum([...new Set([...notificationStates, ...emailStates, ...entryStates])], {
    description: 'State of the message. Its channel determines the possible states',
  }),
  reason: Nullable(Type.String()),
  is_read: Nullable(Type.Boolean({ description: 'Null: not on the site' })),
});

export const Run = Type.Object({
  type: Type.Literal('run'),
  at: Moment,
  run_id: Type.Integer(),
  campaign: Type.String({ description: 'Code of the campaign' }),
  state: Type.Enum(['entered', 'done', 'goal_reached', 'exited', 'failed'], {
    description:
      'The player entered the campaign, or the run ended. Each of the two is one item. A run that is done becomes goal_reached if it reaches its goal later',
  }),
  reason: Nullable(Type.String()),
  cause: Type.Enum(['event', 'segment', 'schedule', 'api'], { description: 'How the player entered' }),
  cause_id: Nullable(Type.String({ description: 'Position of the event in the ledger, or code of the segment' })),
});

const { transition_id, code, transition, version, silent } = SegmentTransition.properties;

export const Segment = Type.Object({
  type: Type.Literal('segment'),
  at: Moment,
  transition_id,
  code,
  transition,
  cause: CauseOut,
  version,
  silent,
});

export const Tag = Type.Object({
  type: Type.Literal('tag'),
  at: Moment,
  tag: Type.String(),
  action: Type.Enum(['add', 'remove']),
  by: Type.String({ description: 'Who set or removed it: an account, or `campaign <code>`' }),
});

export const Decision = Type.Object({
  type: Type.Literal('decision'),
  at: Moment,
  decision_id: Type.Integer(),
  channel: Type.Enum([...channels]),
  purpose: Type.Enum([...purposes]),
  outcome: Type.Enum(['allowed', 'withheld', 'held']),
  reason: Nullable(Type.String()),
  cause: Type.Object(
    { kind: Type.String(), id: Type.String() },
    { description: 'What requested the contact: a message, an intent, a campaign, a bulk action' },
  ),
});

const Staff = Type.Object({
  type: Type.Literal('staff'),
  at: Moment,
  audit_id: Type.Integer(),
  actor: Type.String(),
  action: Type.String({ description: 'As in the audit log' }),
});

export const showTimeline = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/timeline',
  tag: 'Players',
  summary:
    'The timeline of a player, newest first: events with their verdicts, refreshes, changes of consents and blocks, transitions, bonus intents, messages of all channels, campaigns entered and how the runs ended, segments entered or left, tags set or removed, decisions of the gate, actions of staff',
  description:
    'Items of all kinds count toward `limit`, and `from` and `to` apply to all of them. An effect is above its cause if both have the same time. A message or bonus intent moves to the top when its state changes.',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      kind: Type.Optional(
        Type.Enum([...eventKinds, ...otherItemTypes, 'effect'], {
          description: 'effect: everything except events and actions of staff',
        }),
      ),
      verdict: Type.Optional(Type.Enum(verdicts)),
      bodies: Type.Boolean({ default: false, description: 'With the bodies of the events' }),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(
    Type.Union([Event, Refresh, Change, Transition, BonusIntent, Message, Run, Segment, Tag, Decision, Staff]),
  ),
});

/** The last item of a page. The key of a source is a number, or has the form that is given here. */
const placeIn = <S extends Source, K extends TSchema>(of: readonly S[], key: K) =>
  Type.Object({ at: MicrosShape, source: Type.Enum([...of]), key });
const numbered = sources.filter((source) => source !== 'event' && source !== 'bonus_intent' && source !== 'refresh');
const cursor = new CursorCodec(
  'timeline',
  Type.Union([
    placeIn(numbered, Type.Integer()),
    placeIn(['bonus_intent'], Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })),
    placeIn(['refresh'], Type.String()),
    placeIn(['event'], Type.String({ pattern: '^[0-9]{1,10}:[0-9]{1,15}:[0-9]{1,10}$' })),
  ]),
);

export function timelineRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool } = deps;

  serve(app, showTimeline, async ({ access, brand, params, query, language }) => {
    const { player_id: playerId } = await knownPlayer(pool, brand, params.user_id);
    const { kind, verdict, limit } = query;
    const span = { from: readMoment('from', query.from), to: readMoment('to', query.to) };
    const below = cursor.decode(query.cursor);
    const wanted = { kind, verdict, ...span, below, limit };
    const { items, entries, end } = await readTimeline(pool, { brandId: brand.brand_id, playerId }, wanted);
    const bucket = bucketOf(playerHash(brand.brand_id, params.user_id));
    const events = await withGameNames(pool, brand.brand_id, await describeEntries(deps, brand, entries, bucket));
    const described = new Map(events.map((event) => [event.position, event]));
    const bodies = query.bodies ? { unmasked: access.may('personal.read', brand) } : null;
    return {
      items: items.map((item) => present(item, described, bodies, language)),
      next: end && cursor.encode(end as Parameters<typeof cursor.encode>[0]),
    };
  });
}

/** @param bodies null if they are not requested */
function present(
  item: TimelineItem,
  described: ReadonlyMap<string, DescribedEvent>,
  bodies: { unmasked: boolean } | null,
  language: Language,
) {
  if (item.type === 'segment') return presentSegmentItem(item);
  if (item.type === 'decision') return presentDecisionItem(item);
  if (item.type !== 'event') return { ...item, at: momentText(item.at) };
  const { summary: said, body = null } = described.get(item.position) ?? {};
  const summary = said?.(language) ?? null;
  const { at, received_at, flags } = item;
  const event = { ...item, at: momentText(at), received_at: momentText(received_at), flags: [...flags], summary };
  if (bodies === null) return event;
  return { ...event, body: bodies.unmasked || body === null ? body : maskEventBody(item.kind, body) };
}

export const presentSegmentItem = (item: SegmentItem) => ({
  ...item,
  at: momentText(item.at),
  cause: presentCause(item.cause),
});

/** The columns of the table are texts, and the gate writes only these values. */
export function presentDecisionItem({ at, channel, purpose, outcome, ...decision }: DecisionItem) {
  return {
    ...decision,
    at: momentText(at),
    channel: channel as Channel,
    purpose: purpose as Purpose,
    outcome: outcome as 'allowed' | 'withheld' | 'held',
  };
}
