import { eventKinds, flags, type Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { intentStates, listIntents } from '../../actions/index.ts';
import { listRuns, readCampaigns } from '../../campaigns/index.ts';
import {
  emailStates,
  entryStates,
  listMessagesElsewhere,
  listNotifications,
  messagePurposes,
  notificationStates,
} from '../../channels/index.ts';
import { type JournalFilter, type JournalPage, timeline, verdicts } from '../../derive/index.ts';
import { type Channel, channels, listDecisions, type Purpose, purposes } from '../../gate/index.ts';
import type { Language } from '../../language.ts';
import { bucketOf, playerHash } from '../../ledger/index.ts';
import { lookUps } from '../../operator/judging/index.ts';
import { itemStates, readSyncedPlayer, writtenRecords } from '../../operator/players/index.ts';
import { playerTransitions, transitionKinds } from '../../operator/protection/index.ts';
import { listPlayerWriteBacks } from '../../operator/writeback/index.ts';
import { readTagChanges, segmentTransitions } from '../../segments/membership/index.ts';
import { maskEventBody } from '../access/masking.ts';
import { selectAuditOf } from '../audit/store.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { DescribedEvent } from '../feed/described-event.ts';
import { describeEntries } from '../feed/read-feed.ts';
import { Summary } from '../feed/schemas.ts';
import { withGameNames } from '../feed/with-game-names.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, momentText, Nullable, PlayerParams, readMoment, timeRange } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { CauseOut, Transition as SegmentTransition } from '../segments/fields.ts';
import { presentCause } from '../segments/present.ts';
import { knownPlayer } from './known-player.ts';
import {
  changeItem,
  type DecisionItem,
  decisionItem,
  elsewhereItem,
  eventItem,
  intentItem,
  mergeBeside,
  messageItem,
  type OtherItem,
  type RunItem,
  refreshItems,
  runItems,
  segmentItem,
  staffItem,
  type TimelineItem,
  tagItem,
  transitionItem,
} from './timeline.ts';

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

const Refresh = Type.Object({
  type: Type.Literal('refresh'),
  at: Moment,
  look_up: Type.Enum(lookUps),
  outcome: Type.Enum(['succeeded', 'failed']),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
});

const Change = Type.Object({
  type: Type.Literal('change'),
  at: Moment,
  change_id: Type.Integer(),
  record: Type.Enum([...writtenRecords]),
  changed: Type.String({ description: 'Type of the consent or block' }),
  wanted: Type.Boolean({ description: 'opted_in of a consent, active of a block' }),
  source: Type.Enum(['unsubscribe', 'site', 'staff']),
  state: Type.Enum([...itemStates], { description: 'State at the operator: see write-backs' }),
});

const Transition = Type.Object({
  type: Type.Literal('transition'),
  at: Moment,
  kind: Type.Enum(transitionKinds, { description: 'A protection of the player began or ended, over all sources' }),
  consent_type: Nullable(Type.String()),
  source: Type.String({ description: 'Source of the change: look_up, reconciliation, unsubscribe, site or staff' }),
});

const BonusIntent = Type.Object({
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

const Message = Type.Object({
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

const Run = Type.Object({
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

const Segment = Type.Object({
  type: Type.Literal('segment'),
  at: Moment,
  transition_id,
  code,
  transition,
  cause: CauseOut,
  version,
  silent,
});

const Tag = Type.Object({
  type: Type.Literal('tag'),
  at: Moment,
  tag: Type.String(),
  action: Type.Enum(['add', 'remove']),
  by: Type.String({ description: 'Who set or removed it: an account, or `campaign <code>`' }),
});

const Decision = Type.Object({
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
    'Only events count toward `limit`. The timeline contains the newest 200 each of changes, intents, messages, runs, segments, tags, decisions and actions of staff, and the newest 500 transitions.',
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

/** `before`: the journal's token. `below`: everything newer was already shown, including items between events. */
const cursor = new CursorCodec('timeline', Type.Object({ before: Type.String(), below: Type.Number() }));

type Query = Static<typeof showTimeline.query>;

export function timelineRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool } = deps;

  serve(app, showTimeline, async ({ access, brand, params, query, language }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const span = { from: readMoment('from', query.from), to: readMoment('to', query.to) };
    const place = query.cursor === undefined ? undefined : cursor.decode(query.cursor);
    const page = await readEvents(deps, player.player_id, query, span, place?.before);
    const others = await readOtherItems(deps, { brandId: brand.brand_id, playerId: player.player_id }, query);
    const { items, below } = mergeBeside(
      page.entries.map(eventItem),
      others.filter(({ at }) => isWithin(at, span)),
      place?.below ?? Number.POSITIVE_INFINITY,
      page.next === null,
    );
    const bucket = bucketOf(playerHash(brand.brand_id, params.user_id));
    const events = await withGameNames(pool, brand.brand_id, await describeEntries(deps, brand, page.entries, bucket));
    const described = new Map(events.map((event) => [event.position, event]));
    const bodies = query.bodies ? { unmasked: access.may('personal.read', brand) } : null;
    return {
      items: items.map((item) => present(item, described, bodies, language)),
      // `below` is Infinity if a first page without events has shown nothing. JSON has no Infinity.
      next: page.next && cursor.encode({ before: page.next, below: Math.min(below, Number.MAX_SAFE_INTEGER) }),
    };
  });
}

interface Span {
  from: Micros | undefined;
  to: Micros | undefined;
}

function readEvents(
  { pool }: ConsoleDeps,
  playerId: number,
  { kind, verdict, limit }: Query,
  span: Span,
  before: string | undefined,
): Promise<JournalPage> {
  const ofEvents = eventKinds.find((each) => each === kind);
  if (kind !== undefined && ofEvents === undefined) return Promise.resolve({ entries: [], next: null });
  const filter: JournalFilter = {
    ...(ofEvents !== undefined && { kinds: [ofEvents] }),
    ...(verdict !== undefined && { verdicts: [verdict] }),
    ...span,
  };
  return timeline(pool, playerId, filter, limit, before);
}

/**
 * Maximum number of items that are read from each list below that takes a limit. A player has only a few changes of consents and
 * blocks; the list of write-backs contains all of them.
 */
const mostChanges = 200;

async function readOtherItems(
  { pool }: ConsoleDeps,
  { brandId, playerId }: { brandId: number; playerId: number },
  { kind, verdict }: Query,
): Promise<OtherItem[]> {
  const wants = (name: OtherItem['type']) =>
    verdict === undefined && (kind === undefined || kind === name || (kind === 'effect' && name !== 'staff'));
  const refreshes = wants('refresh') ? refreshItems((await readSyncedPlayer(pool, playerId)).sync) : [];
  const changes = wants('change') ? await listPlayerWriteBacks(pool, playerId, { limit: mostChanges }) : [];
  const transitions = wants('transition') ? await playerTransitions(pool, playerId) : [];
  const filter = { player_id: playerId };
  const intents = wants('bonus_intent') ? await listIntents(pool, brandId, filter, mostChanges) : [];
  const messages = wants('message') ? await listNotifications(pool, brandId, filter, { limit: mostChanges }) : [];
  const elsewhere = wants('message') ? await listMessagesElsewhere(pool, playerId, { limit: mostChanges }) : [];
  const runs = wants('run') ? await readRuns(pool, brandId, playerId) : [];
  const segments = wants('segment')
    ? await segmentTransitions.list(pool, { player_id: playerId }, { limit: mostChanges })
    : [];
  const tags = wants('tag') ? await readTagChanges(pool, playerId, mostChanges) : [];
  const decisions = wants('decision') ? await listDecisions(pool, brandId, filter, mostChanges) : [];
  const staff = wants('staff') ? await selectAuditOf(pool, brandId, `player ${playerId}`, mostChanges) : [];
  return [
    ...decisions.map(decisionItem),
    ...staff.map(staffItem),
    ...refreshes,
    ...changes.map(changeItem),
    ...transitions.map(transitionItem),
    ...intents.map(intentItem),
    ...messages.map(messageItem),
    ...elsewhere.map(elsewhereItem),
    ...runs,
    ...segments.map(segmentItem),
    ...tags.map(tagItem),
  ];
}

async function readRuns(pool: ConsoleDeps['pool'], brandId: number, playerId: number): Promise<RunItem[]> {
  const runs = await listRuns(pool, { player_id: playerId }, { limit: mostChanges });
  const codes = new Map((await readCampaigns(pool, brandId)).map(({ campaign_id, code }) => [campaign_id, code]));
  return runs.flatMap((run) => runItems(run, codes.get(run.campaign_id) ?? ''));
}

function isWithin(at: Micros, { from, to }: Span): boolean {
  return (from === undefined || at >= from) && (to === undefined || at <= to);
}

/** @param bodies null if they are not requested */
function present(
  item: TimelineItem,
  described: ReadonlyMap<string, DescribedEvent>,
  bodies: { unmasked: boolean } | null,
  language: Language,
) {
  if (item.type === 'segment') return { ...item, at: momentText(item.at), cause: presentCause(item.cause) };
  if (item.type === 'decision') return presentDecisionItem(item);
  if (item.type !== 'event') return { ...item, at: momentText(item.at) };
  const { summary: said, body = null } = described.get(item.position) ?? {};
  const summary = said?.(language) ?? null;
  const { at, received_at, flags } = item;
  const event = { ...item, at: momentText(at), received_at: momentText(received_at), flags: [...flags], summary };
  if (bodies === null) return event;
  return { ...event, body: bodies.unmasked || body === null ? body : maskEventBody(item.kind, body) };
}

/** The columns of the table are texts, and the gate writes only these values. */
function presentDecisionItem({ at, channel, purpose, outcome, ...decision }: DecisionItem) {
  return {
    ...decision,
    at: momentText(at),
    channel: channel as Channel,
    purpose: purpose as Purpose,
    outcome: outcome as 'allowed' | 'withheld' | 'held',
  };
}
