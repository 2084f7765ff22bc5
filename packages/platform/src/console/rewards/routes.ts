import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  assignedHow,
  attemptOutcomes,
  countWaitingIntents,
  type IntentFilter,
  type IntentPlace,
  intentKinds,
  listIntents,
  readGrantsOfIntent,
  readIntent,
  reservationsOf,
  selectAttempts,
  selectChanges,
} from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { decisionsOfCause } from '../../gate/index.ts';
import type { Access } from '../access/access.ts';
import { DecisionShown } from '../compliance/contactability-schemas.ts';
import { presentDecision } from '../compliance/present-decision.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  BrandParams,
  Moment,
  Money,
  momentText,
  momentTextOrNull,
  Nullable,
  PlayerParams,
  readMoment,
  timeRange,
} from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import type { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { presentAttempt, presentChange, presentIntent } from './present-intent.ts';
import { IntentId, IntentParams, State, strict, tag } from './schemas.ts';

export const Intent = Type.Object({
  intent_id: IntentId,
  user_id: Nullable(Type.String()),
  kind: Type.Enum([...intentKinds], { description: 'funds: an amount credited to the wallet' }),
  bonus_code: Type.String(),
  amount: Nullable(Money),
  currency: Nullable(Type.String()),
  extra: Type.Record(Type.String(), Type.Unknown()),
  state: State,
  reason: Nullable(Type.String({ description: 'Why it waits, or why it ended' })),
  resolved_by: Nullable(
    Type.String({ description: 'What decided the end: answer, reference, match, person, gate, ...' }),
  ),
  state_since: Moment,
  created_at: Moment,
  created_by: Type.String(),
  offered: Type.Boolean(),
  claimed_at: Nullable(Moment),
  expires_at: Nullable(Moment),
  attempts: Type.Integer(),
  call_open: Type.Boolean({ description: 'A call is in progress' }),
  first_attempt_at: Nullable(Moment),
  last_attempt_at: Nullable(Moment),
  due_at: Nullable(Type.String({ format: 'date-time', description: 'Time of the next automatic step' })),
  due_for: Nullable(Type.String({ description: 'The next automatic step: call, answer, expiry, deadline' })),
  references: Type.Object({
    activity_id: Nullable(Type.String()),
    action_id: Nullable(Type.String()),
    action_group_id: Nullable(Type.String()),
    trigger_hash: Nullable(Type.String()),
  }),
  note: Nullable(Type.String()),
});

const Attempt = Type.Object({
  attempt_no: Type.Integer(),
  outcome: Nullable(Type.Enum([...attemptOutcomes], { description: 'Null while the call is in progress' })),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  started_at: Moment,
  ended_at: Nullable(Moment),
  took_ms: Nullable(Type.Integer()),
  late: Type.Boolean({ description: 'The outcome arrived after the call was considered lost' }),
  decision_id: Nullable(Type.Integer({ description: 'Decision of the gate that allowed it' })),
  process: Type.String(),
  request: Nullable(
    Type.Object(
      {
        method: Type.String(),
        path: Type.String(),
        headers: Type.Record(Type.String(), Type.String(), { description: 'Without credentials' }),
        body: Type.Unknown(),
      },
      { description: 'Null after its player was erased' },
    ),
  ),
  answer: Nullable(
    Type.Object({
      status: Type.Integer(),
      body: Type.String({ description: 'Its first 16 KiB' }),
      cut: Type.Boolean({ description: 'The answer was longer' }),
    }),
  ),
});

const Change = Type.Object({
  at: Moment,
  event: Type.String(),
  state: State,
  reason: Nullable(Type.String()),
  actor: Nullable(Type.String()),
  note: Nullable(Type.String()),
  proof: Nullable(Type.Record(Type.String(), Type.Unknown())),
});

const Reservation = Type.Object({
  budget_id: Type.Integer(),
  name: Type.String(),
  state: Type.String(),
  amount: Money,
});

const Grant = Type.Object({
  user_bonus_id: Type.String(),
  how: Type.Enum([...assignedHow], {
    description:
      'reference: the operator returned the reference. match: the bonus proved the intent. explained: the bonus fits an intent that is already credited',
  }),
  since: Moment,
});

const filters = {
  state: Type.Optional(State),
  kind: Type.Optional(Type.Enum([...intentKinds])),
  bonus_code: Type.Optional(Type.String()),
  activity_id: Type.Optional(Type.String({ description: 'Intents of this campaign' })),
  older_than: Type.Optional(Type.Integer({ minimum: 0, maximum: 525_600, description: 'Minimum age in minutes' })),
  ...timeRange,
  ...pageQuery,
};

const listing = {
  method: 'GET',
  tag,
  may: 'player.read',
  query: Type.Object(filters, strict),
  status: 200,
  answer: PageOf(Intent),
} as const;

export const listPlayerIntents = endpoint({
  ...listing,
  path: '/brands/:brand/players/:user_id/bonus-intents',
  summary: 'Bonus intents of a player in every state, newest first',
  params: PlayerParams,
  query: Type.Object(
    {
      ...filters,
      request_key: Type.Optional(
        Type.String({ maxLength: 200, description: 'The Idempotency-Key of the order. A key has at most one intent' }),
      ),
    },
    strict,
  ),
});

export const listBrandIntents = endpoint({
  ...listing,
  path: '/brands/:brand/bonus-intents',
  summary: 'Bonus intents of a brand in every state, newest first',
  params: BrandParams,
});

export const countIntents = endpoint({
  method: 'GET',
  path: '/brands/:brand/bonus-intents/waiting',
  tag,
  summary: 'Number of open intents by state, and since when the oldest waits',
  description: 'Counted up to 10,000 per state.',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    states: Type.Array(Type.Object({ state: State, count: Type.Integer(), oldest_at: Nullable(Moment) })),
  }),
});

export const showIntent = endpoint({
  method: 'GET',
  path: '/brands/:brand/bonus-intents/:intent_id',
  tag,
  summary:
    'One intent with its calls, its changes of state, the decisions of the gate, its bonuses and its reservations',
  may: 'player.read',
  params: IntentParams,
  status: 200,
  answer: Type.Object({
    intent: Intent,
    attempts: Type.Array(Attempt),
    changes: Type.Array(Change),
    reservations: Type.Array(Reservation),
    decisions: Type.Array(DecisionShown, { description: 'Decisions of the gate, oldest first' }),
    grants: Type.Array(Grant, { description: 'Bonuses of the player that came from this credit' }),
  }),
});

const cursor = new CursorCodec(
  'bonus-intents',
  Type.Object({ created_at: Type.Number(), intent_id: Type.String({ pattern: '^[0-9a-f-]{36}$' }) }),
);

interface ListQuery extends Pick<IntentFilter, 'state' | 'kind' | 'bonus_code' | 'activity_id' | 'request_key'> {
  older_than?: number;
  from?: string;
  to?: string;
  limit: number;
  cursor?: string;
}

/** Reads bonus intents. Changes are in action-routes.ts. */
export function intentRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  const list = async (access: Access, brand: Brand, query: ListQuery, playerId?: number) => {
    const { limit, cursor: after, from, to, older_than, ...rest } = query;
    const until = older_than === undefined ? undefined : clock() - older_than * 60_000_000;
    const bound = readMoment('to', to);
    const latest = until === undefined ? bound : Math.min(until, bound ?? until);
    const filter: IntentFilter = { ...rest, player_id: playerId, from: readMoment('from', from), to: latest };
    const place: IntentPlace | undefined = cursor.decode(after);
    const rows = await listIntents(pool, brand.brand_id, filter, limit + 1, place);
    const { items, next } = pageFrom(rows, limit, ({ created_at, intent_id }) =>
      cursor.encode({ created_at, intent_id }),
    );
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((intent) => presentIntent(intent, unmasked)), next };
  };

  serve(app, listBrandIntents, ({ access, brand, query }) => list(access, brand, query));

  serve(app, listPlayerIntents, async ({ access, brand, params, query }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    return list(access, brand, query, player.player_id);
  });

  serve(app, countIntents, async ({ brand }) => {
    const counts = await countWaitingIntents(pool, brand.brand_id);
    return { states: counts.map((one) => ({ ...one, oldest_at: momentTextOrNull(one.oldest_at) })) };
  });

  serve(app, showIntent, async ({ access, brand, params: { intent_id }, language }) => {
    const intent = await readIntent(pool, brand.brand_id, intent_id);
    if (intent === null) throw noIntent(intent_id);
    const unmasked = access.may('personal.read', brand);
    const [attempts, changes, reservations, decisions, grants] = await Promise.all([
      selectAttempts(pool, intent_id),
      selectChanges(pool, intent_id),
      reservationsOf(pool, intent_id),
      decisionsOfCause(pool, brand.brand_id, { kind: 'intent', id: intent_id }),
      readGrantsOfIntent(pool, intent_id),
    ]);
    return {
      intent: presentIntent(intent, unmasked),
      attempts: attempts.map((attempt) => presentAttempt(attempt, unmasked, language)),
      changes: changes.map((change) => presentChange(change, unmasked)),
      reservations,
      decisions: decisions.map(presentDecision),
      grants: grants.map((grant) => ({ ...grant, since: momentText(grant.since) })),
    };
  });
}

export function noIntent(intentId: string): Refused {
  return notFound('bonus intent', intentId);
}
