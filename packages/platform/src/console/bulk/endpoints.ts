import { Type } from 'typebox';
import { actionStates, defaultPerSecond, mostPerSecond, playerStates } from '../../bulk/index.ts';
import { messageChannels, messagePurposes } from '../../channels/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';
import { SegmentParams, strict } from '../segments/fields.ts';

const tag = 'Bulk actions';
const actionId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const ActionParams = Type.Object({ ...BrandParams.properties, action_id: actionId });
const Variables = Type.Record(Type.String(), Type.Unknown());
const PlayerState = Type.Enum([...playerStates], {
  description:
    "sent: the channel accepted it, and asks the gate again before it calls a provider. held: the channel keeps it until the player's data is known. waiting: the gate decides again later. withheld: it was refused, or the action was cancelled before the message reached anyone (bulk_cancelled). skipped: the player left the segment",
});

const terms = {
  campaign_id: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,200}$',
      description: 'The campaign of its messages or offers. Default: bulk-<action_id>',
    }),
  ),
  products: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      maxItems: 20,
      description: 'Products of the message or offer, such as casino. Policies of markets (GB) use them',
    }),
  ),
  expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'Expiry of each message or offer' })),
  per_second: Type.Integer({
    minimum: 1,
    maximum: mostPerSecond,
    default: defaultPerSecond,
    description: 'Players per second',
  }),
};

const Action = Type.Object({
  action_id: Type.Integer(),
  segment: Type.String({ description: 'Code of the segment' }),
  kind: Type.Enum(['message', 'offer']),
  does: Type.Record(Type.String(), Type.Unknown(), { description: 'What each player gets, as ordered' }),
  campaign_id: Type.String({ description: 'Identifies its messages and offers' }),
  per_second: Type.Integer(),
  state: Type.Enum([...actionStates], { description: 'gathering: the members are being listed' }),
  waits_for: Nullable(
    Type.Enum(['segment', 'failure'], {
      description: 'segment: the segment is paused or failed. failure: a portion failed and is retried',
    }),
  ),
  players: Type.Integer({ description: 'Members listed so far. Complete after gathering' }),
  progress: Type.Number({ description: 'Share of the players with an outcome, 0 to 1' }),
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'Players by state' }),
  withheld: Type.Record(Type.String(), Type.Integer(), { description: 'Withheld players by reason' }),
  created_at: Moment,
  created_by: Type.String(),
  finished_at: Nullable(Moment),
  cancelled_by: Nullable(Type.String()),
});

const orders = {
  method: 'POST',
  tag,
  params: SegmentParams,
  status: 201,
  answer: Action,
  conflict:
    'The segment has no members, was never published, is being computed, is paused or failed; the limits of `campaign_approval` are exceeded; or the Idempotency-Key was used for another action',
} as const;

const orderText =
  'Returns as soon as the order is stored. Workers process the current members at the given pace, and ask the gate for each player. The header Idempotency-Key makes the call safe to retry.';

export const orderMessagesEndpoint = endpoint({
  ...orders,
  path: '/brands/:brand/segments/:code/messages',
  summary: 'Send a message to every member of a segment',
  description: `${orderText} The text comes from \`content\`, or from the template, in the version that is current when the player is processed.`,
  may: 'message.send',
  body: Type.Object(
    {
      channel: Type.Enum([...messageChannels, 'email', 'sms', 'webhook', 'operator', 'telephone', 'post_mail']),
      purpose: Type.Enum([...messagePurposes], { default: 'marketing' }),
      template: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Code of a template' })),
      language: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 35,
          description: "Language of the template. Default: the player's language",
        }),
      ),
      variables: Type.Optional(
        Type.Object(
          { event: Type.Optional(Variables), campaign: Type.Optional(Variables), offer: Type.Optional(Variables) },
          { ...strict, description: 'Values for event, campaign and offer in the texts of the template' },
        ),
      ),
      content: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Instead of a template: the fields of the channel, in the default language of the brand',
        }),
      ),
      ...terms,
    },
    strict,
  ),
});

export const orderOffersEndpoint = endpoint({
  ...orders,
  path: '/brands/:brand/segments/:code/offers',
  summary: 'Offer a bonus or funds to every member of a segment. Each player has to claim it',
  description: orderText,
  may: 'bonus.credit',
  body: Type.Object(
    {
      bonus_code: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
      amount: Type.Optional(
        Type.Union([Type.Number(), Type.String()], { description: 'Above 0. Requires a currency' }),
      ),
      currency: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{3,10}$' })),
      wagering: Type.Optional(
        Type.Number({
          minimum: 0,
          description:
            'Number of times that the bonus has to be wagered. Without it, the operator decides, and players in markets with a limit (GB) get no offer',
        }),
      ),
      note: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' })),
      ...terms,
    },
    strict,
  ),
});

const reads = { method: 'GET', tag, status: 200 } as const;

export const readReachEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/segments/:code/reach',
  summary: 'What the gate would decide now for the members of a segment, before a message or offer is ordered',
  description:
    "For up to 2,000 members, the counts are exact. Otherwise they are estimated from a random sample of 2,000. This call is not a contact: it records nothing and does not call the operator. The brand's rules of contact (control group, market policies, quiet hours, frequency caps) are not included, because they apply at the time of each contact.",
  may: 'player.read',
  params: SegmentParams,
  query: Type.Object(
    {
      channel: Type.Enum(
        [...messageChannels, 'email', 'sms', 'webhook', 'operator', 'telephone', 'post_mail', 'bonus'],
        {
          description: 'bonus: for an offer. The purpose is then ignored',
        },
      ),
      purpose: Type.Enum([...messagePurposes], { default: 'marketing' }),
    },
    strict,
  ),
  conflict: 'The segment was never published, is being computed, is paused or failed',
  answer: Type.Object({
    members: Type.Integer({ description: 'Members without excluded and blocked players. This number is exact' }),
    checked: Type.Integer({ description: 'The number of members in the sample' }),
    exact: Type.Boolean(),
    allowed: Type.Integer(),
    withheld: Type.Record(Type.String(), Type.Integer(), { description: 'Players by reason' }),
    held: Type.Record(Type.String(), Type.Integer(), {
      description: 'Players who are looked up at the operator first, by reason',
    }),
  }),
});

export const listActionsEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/bulk-actions',
  summary: 'Messages and offers to whole segments, newest first',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    {
      segment: Type.Optional(Type.String({ description: 'Code of one segment' })),
      request_key: Type.Optional(
        Type.String({ maxLength: 200, description: 'The Idempotency-Key of the order. It has at most one action' }),
      ),
      ...pageQuery,
    },
    strict,
  ),
  answer: PageOf(Action),
});

export const readActionEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/bulk-actions/:action_id',
  summary: 'One bulk action with its progress and outcomes',
  may: 'brand.read',
  params: ActionParams,
  answer: Action,
});

export const listReachedEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/bulk-actions/:action_id/players',
  summary: 'The players of a bulk action with their outcomes, by state and reason',
  may: 'player.read',
  params: ActionParams,
  query: Type.Object(
    { state: Type.Optional(PlayerState), reason: Type.Optional(Type.String({ maxLength: 500 })), ...pageQuery },
    strict,
  ),
  answer: PageOf(
    Type.Object({
      user_id: Type.String(),
      player_id: Type.Integer(),
      state: PlayerState,
      reason: Nullable(Type.String()),
      message_id: Nullable(Type.Integer()),
      intent_id: Nullable(Type.String()),
      decision_id: Nullable(Type.Integer({ description: 'The decision of the gate' })),
      at: Moment,
    }),
  ),
});

export const cancelActionEndpoint = endpoint({
  method: 'POST',
  tag,
  path: '/brands/:brand/bulk-actions/:action_id/cancel',
  summary: 'Cancel a bulk action. After the answer, none of its messages is sent',
  description:
    'Messages that are still unsent end with the reason `bulk_cancelled`: those that wait for a rate, a retry, an export or the gate. Workers end them in portions, and their players then count as withheld. A call that has begun is not cut, and is not repeated. Sent messages and existing offers stay. To recall messages from inboxes, use message-recalls with the campaign_id. A second call changes nothing.',
  may: 'message.recall',
  conflict: 'The action is done: every player has an outcome',
  params: ActionParams,
  status: 200,
  answer: Action,
});
