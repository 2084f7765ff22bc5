import { Type } from 'typebox';
import { assignedHow, attemptOutcomes, intentKinds, intentStates } from '../../actions/index.ts';
import { DecisionShown } from '../compliance/contactability-endpoints.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Money, Nullable, PlayerParams, timeRange } from '../routing/fields.ts';

const strict = { additionalProperties: false };
const tag = 'Bonuses';

/** Goes out as a header: printable ASCII. */
const Reference = Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }));
const Note = Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' });

const IntentId = Type.String({ format: 'uuid', description: 'Also the Idempotency-Key of its calls' });
const State = Type.Enum([...intentStates]);
const Outcome = Type.Object({ intent_id: IntentId, state: State });

export const Intent = Type.Object({
  intent_id: IntentId,
  user_id: Nullable(Type.String()),
  kind: Type.Enum([...intentKinds], { description: 'funds: with an amount, credited to the wallet' }),
  bonus_code: Type.String(),
  amount: Nullable(Money),
  currency: Nullable(Type.String()),
  extra: Type.Record(Type.String(), Type.Unknown()),
  state: State,
  reason: Nullable(Type.String({ description: 'Why it waits, or why it ended so' })),
  resolved_by: Nullable(
    Type.String({ description: 'What proved the end: answer, reference, match, person, gate, ...' }),
  ),
  state_since: Moment,
  created_at: Moment,
  created_by: Type.String(),
  offered: Type.Boolean(),
  claimed_at: Nullable(Moment),
  expires_at: Nullable(Moment),
  attempts: Type.Integer(),
  call_open: Type.Boolean({ description: 'A call is under way' }),
  first_attempt_at: Nullable(Moment),
  last_attempt_at: Nullable(Moment),
  due_at: Nullable(Type.String({ format: 'date-time', description: 'When something happens next by itself' })),
  due_for: Nullable(Type.String({ description: 'And what: call, answer, expiry, deadline' })),
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
  outcome: Nullable(Type.Enum([...attemptOutcomes], { description: 'Null while the call is under way' })),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  started_at: Moment,
  ended_at: Nullable(Moment),
  took_ms: Nullable(Type.Integer()),
  late: Type.Boolean({ description: 'Its outcome came after it had counted as lost' }),
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
      { description: 'Null once its player was erased' },
    ),
  ),
  answer: Nullable(
    Type.Object({
      status: Type.Integer(),
      body: Type.String({ description: 'Its first 16 KiB' }),
      cut: Type.Boolean({ description: 'There was more' }),
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
      'reference: the operator said so; match: it proved the intent; explained: it fits one that is credited anyway',
  }),
  since: Moment,
});

export const creditBonus = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/bonus-credits',
  tag,
  summary: 'Have a bonus credited, or with amount and currency funds; or offer it',
  description:
    'Answers as soon as the intent is stored; the call to the operator follows within a moment, once the gate and the budgets allow it. A header Idempotency-Key makes it safe to repeat: the same key and body answer with the same intent, the same key with another body is a 409. A key is good for one player. With `offer` the player has to claim it.',
  may: 'bonus.credit',
  conflict: 'The Idempotency-Key was used for another bonus of the player',
  params: PlayerParams,
  body: Type.Object(
    {
      bonus_code: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
      amount: Type.Optional(Type.Union([Type.Number(), Type.String()], { description: 'Above 0, with a currency' })),
      currency: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{3,10}$' })),
      extra: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Values for the fields that the setting operator.bonus_extra_fields maps',
        }),
      ),
      references: Type.Optional(
        Type.Object(
          { activity_id: Reference, action_id: Reference, action_group_id: Reference, trigger_hash: Reference },
          {
            ...strict,
            description: 'Sent to the operator as headers; activity_id is the campaign whose budgets apply',
          },
        ),
      ),
      offer: Type.Boolean({ default: false }),
      expires_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Of an offer: until when it may be claimed. Otherwise: when it is not credited any more',
        }),
      ),
      note: Type.Optional(Note),
    },
    strict,
  ),
  status: 200,
  answer: Outcome,
});

const filters = {
  state: Type.Optional(State),
  kind: Type.Optional(Type.Enum([...intentKinds])),
  bonus_code: Type.Optional(Type.String()),
  activity_id: Type.Optional(Type.String({ description: 'The campaign' })),
  older_than: Type.Optional(Type.Integer({ minimum: 0, maximum: 525_600, description: 'Minutes since it was made' })),
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
  summary: 'Bonuses of a player that were, are or could not be credited, the newest first',
  params: PlayerParams,
});

export const listBrandIntents = endpoint({
  ...listing,
  path: '/brands/:brand/bonus-intents',
  summary: 'Bonuses of a brand that were, are or could not be credited, the newest first',
  params: BrandParams,
});

export const countIntents = endpoint({
  method: 'GET',
  path: '/brands/:brand/bonus-intents/waiting',
  tag,
  summary: 'How many intents have not ended, by state, and since when the oldest waits',
  description: 'Counted up to 10,000 a state.',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    states: Type.Array(Type.Object({ state: State, count: Type.Integer(), oldest_at: Nullable(Moment) })),
  }),
});

const IntentParams = Type.Object({ brand: BrandParams.properties.brand, intent_id: IntentId });

export const showIntent = endpoint({
  method: 'GET',
  path: '/brands/:brand/bonus-intents/:intent_id',
  tag,
  summary: 'One intent with its calls, what moved it, what the gate said, what it granted, and the budgets it holds',
  may: 'player.read',
  params: IntentParams,
  status: 200,
  answer: Type.Object({
    intent: Intent,
    attempts: Type.Array(Attempt),
    changes: Type.Array(Change),
    reservations: Type.Array(Reservation),
    decisions: Type.Array(DecisionShown, { description: 'Of the gate, the oldest first' }),
    grants: Type.Array(Grant, { description: 'Bonuses of the player that the credit is known to have made' }),
  }),
});

const acting = {
  method: 'POST',
  tag,
  params: IntentParams,
  status: 200,
  answer: Outcome,
  conflict: 'The state of the intent does not allow it',
} as const;

export const claimIntent = endpoint({
  ...acting,
  path: '/brands/:brand/bonus-intents/:intent_id/claim',
  summary: 'Claim an offer for its player; a second claim changes nothing',
  may: 'bonus.credit',
});

export const cancelIntent = endpoint({
  ...acting,
  path: '/brands/:brand/bonus-intents/:intent_id/cancel',
  summary: 'Take back an intent that has certainly credited nothing yet',
  may: 'bonus.credit',
  body: Type.Object({ note: Type.Optional(Note) }, strict),
});

export const resolveIntent = endpoint({
  ...acting,
  path: '/brands/:brand/bonus-intents/:intent_id/resolve',
  summary: 'Say what really happened to an intent that is unknown, after looking at the operator',
  description:
    'With not_applied, `next` says whether the credit is tried again or given up. Nobody checks it: the books do.',
  may: 'bonus.resolve',
  body: Type.Object(
    {
      outcome: Type.Enum(['credited', 'not_applied']),
      next: Type.Optional(Type.Enum(['retry', 'give_up'])),
      note: Note,
    },
    strict,
  ),
});
