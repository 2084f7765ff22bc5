import { eventKinds, flags } from '@croupier/contracts';
import { Type } from 'typebox';
import { intentStates } from '../../actions/index.ts';
import { messageChannels, messagePurposes, notificationStates } from '../../channels/index.ts';
import { verdicts } from '../../derive/index.ts';
import { lookUps } from '../../operator/calling/index.ts';
import { itemStates, writtenRecords } from '../../operator/players/index.ts';
import { transitionKinds } from '../../operator/protection/index.ts';
import { Summary } from '../feed/endpoints.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, Nullable, PlayerParams, timeRange } from '../routing/fields.ts';

const Event = Type.Object({
  type: Type.Literal('event'),
  at: Type.String({ format: 'date-time', description: "The event's own timestamp" }),
  kind: Type.Enum(eventKinds),
  position: Type.String({ description: 'Its place in the ledger: GET .../feed/:position' }),
  received_at: Moment,
  verdict: Type.Enum(verdicts),
  flags: Type.Array(Type.Enum(flags)),
  summary: Nullable(Summary),
  body: Type.Optional(Type.Unknown({ description: 'With `bodies=true`; null when the ledger no longer keeps it' })),
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
  state: Type.Enum([...itemStates], { description: 'How far the operator has it by now: see write-backs' }),
});

const Transition = Type.Object({
  type: Type.Literal('transition'),
  at: Moment,
  kind: Type.Enum(transitionKinds, { description: 'What protects the player began or ended, by all sources together' }),
  consent_type: Nullable(Type.String()),
  source: Type.String({ description: 'Where it was learned' }),
});

const BonusIntent = Type.Object({
  type: Type.Literal('bonus_intent'),
  at: Type.String({ format: 'date-time', description: 'Since when it is in this state' }),
  intent_id: Type.String(),
  bonus_code: Type.String(),
  amount: Nullable(Money),
  currency: Nullable(Type.String()),
  state: Type.Enum([...intentStates]),
  reason: Nullable(Type.String()),
});

const Message = Type.Object({
  type: Type.Literal('message'),
  at: Type.String({ format: 'date-time', description: 'Since when it is in this state' }),
  message_id: Type.Integer(),
  event: Type.Enum(['message', 'shoutout', 'inbox']),
  channel: Type.Enum([...messageChannels]),
  purpose: Type.Enum([...messagePurposes]),
  campaign_id: Nullable(Type.String()),
  state: Type.Enum([...notificationStates]),
  reason: Nullable(Type.String()),
  is_read: Type.Boolean(),
});

export const showTimeline = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/timeline',
  tag: 'Players',
  summary:
    'What happened to a player, the newest first: events with their verdicts, refreshes, changes of consents and blocks, transitions, bonus intents, messages',
  description:
    'Refreshes, changes, transitions, bonus intents and messages come on top of `limit`; of changes, intents and messages the newest 200, of transitions the newest 500.',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      kind: Type.Optional(Type.Enum([...eventKinds, 'refresh', 'change', 'transition', 'bonus_intent', 'message'])),
      verdict: Type.Optional(Type.Enum(verdicts)),
      bodies: Type.Boolean({ default: false, description: 'With the bodies of the events' }),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Type.Union([Event, Refresh, Change, Transition, BonusIntent, Message])),
});
