import { Type } from 'typebox';
import {
  contentLimits,
  displayTypes,
  messageChannels,
  messagePurposes,
  notificationStates,
} from '../../channels/index.ts';
import { DecisionShown } from '../compliance/contactability-endpoints.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';

const strict = { additionalProperties: false };
const tag = 'Messages';

const events = ['message', 'shoutout', 'inbox'] as const;
const State = Type.Enum([...notificationStates]);
const CampaignId = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const text = (name: keyof typeof contentLimits, description: string) =>
  Type.String({ default: '', description: `${description}; at most ${contentLimits[name]} characters` });
const Content = Nullable(Type.String({ description: 'Null for callers who may not see personal data' }));

export const Message = Type.Object({
  message_id: Type.Integer({ description: 'The MessageId of the notification API' }),
  user_id: Nullable(Type.String({ description: "The operator's id of the player" })),
  channel: Type.Enum([...messageChannels]),
  purpose: Type.Enum([...messagePurposes]),
  event: Type.Enum([...events]),
  display_type: Type.Enum([...displayTypes]),
  title: Content,
  message: Content,
  preview_text: Content,
  footer_text: Content,
  data: Type.Unknown({ description: 'As it was given' }),
  cta_button_link: Content,
  cta_button_text: Content,
  cta_button2_link: Content,
  cta_button2_text: Content,
  image_url: Content,
  campaign_id: Nullable(Type.String()),
  is_read: Type.Boolean(),
  created_at: Moment,
  created_by: Type.String(),
  expires: Nullable(Type.String({ format: 'date-time', description: 'Null: never' })),
  state: State,
  reason: Nullable(Type.String({ description: 'Why it waits, was withheld, dropped or withdrawn' })),
  state_since: Moment,
  decision_id: Nullable(Type.Integer({ description: 'Decision of the gate that stands' })),
  live_at: Nullable(Type.String({ format: 'date-time', description: 'Since when the player can see it' })),
  shown_at: Nullable(
    Type.String({ format: 'date-time', description: 'When it was first on the screen, as far as the site told it' }),
  ),
  read_at: Nullable(Type.String({ format: 'date-time', description: 'When the player opened it, or followed it' })),
  clicked_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the player first followed a button or link of it, or its push',
    }),
  ),
  closed_at: Nullable(
    Type.String({ format: 'date-time', description: 'When the player closed the modal, banner or hint; not reading' }),
  ),
  deleted_at: Nullable(Type.String({ format: 'date-time', description: 'When the player deleted it' })),
  ended_by: Nullable(Type.String({ description: 'Who recalled it' })),
  due_at: Nullable(Type.String({ format: 'date-time', description: 'When the gate is asked again' })),
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/messages',
  tag,
  summary: 'Write a message to a player: on the site, or on the site and the devices that the player subscribed',
  description:
    'The gate decides in the same moment: live, held until the player is known well enough, or withheld. HTML of message and footer_text is sanitised, the other texts are plain. A header Idempotency-Key makes it safe to repeat: the same key and body answer with the same message, the same key with another body is a 409. A key is good for one player. A key is good for 30 days.',
  may: 'message.send',
  conflict: 'The Idempotency-Key was used for another message of the player',
  params: PlayerParams,
  body: Type.Object(
    {
      event: Type.Enum([...events], { description: 'message: a modal; shoutout: a small banner; inbox: a list entry' }),
      display_type: Type.Enum([...displayTypes], {
        default: 'push',
        description:
          'Of an inbox message that arrives while the player is there: push shows a hint, silent only counts',
      }),
      channel: Type.Enum([...messageChannels], {
        default: 'site',
        description: 'push: it stands in the inbox, too, and needs both consents',
      }),
      purpose: Type.Enum([...messagePurposes], { default: 'marketing' }),
      title: text('title', 'Plain text'),
      message: text('message', 'HTML'),
      preview_text: text('preview_text', 'Plain text'),
      footer_text: text('footer_text', 'HTML'),
      data: Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        description: `For the site's own use, passed through untouched; at most ${contentLimits.data} characters`,
      }),
      cta_button_link: text('cta_button_link', 'http, https or a path of the site'),
      cta_button_text: text('cta_button_text', 'Plain text; needs cta_button_link'),
      cta_button2_link: text('cta_button2_link', 'http, https or a path of the site'),
      cta_button2_text: text('cta_button2_text', 'Plain text; needs cta_button2_link'),
      image_url: text('image_url', 'http, https or a path of the site'),
      expires: Type.Optional(
        Nullable(
          Type.String({
            description: 'RFC 3339, or YYYY-MM-DD HH:MM:SS in UTC; in whole seconds. Absent or null: never',
            examples: ['2026-06-01T00:00:00Z', '2026-06-01 00:00:00'],
          }),
        ),
      ),
      campaign_id: Type.Optional(Nullable(CampaignId)),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    message_id: Type.Integer(),
    state: State,
    reason: Nullable(Type.String({ description: 'Why it is held or withheld' })),
    decision_id: Nullable(Type.Integer()),
  }),
});

const listing = {
  method: 'GET',
  tag,
  may: 'player.read',
  query: Type.Object({ state: Type.Optional(State), campaign_id: Type.Optional(Type.String()), ...pageQuery }, strict),
  status: 200,
  answer: PageOf(Message),
} as const;

export const listPlayerMessages = endpoint({
  ...listing,
  path: '/brands/:brand/players/:user_id/messages',
  summary: 'Messages of a player, the newest first: shown, held, withheld and ended ones',
  params: PlayerParams,
});

export const listBrandMessages = endpoint({
  ...listing,
  path: '/brands/:brand/messages',
  summary: 'Messages of a brand, the newest first',
  params: BrandParams,
});

const MessageParams = Type.Object({
  brand: BrandParams.properties.brand,
  message_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

export const showMessage = endpoint({
  method: 'GET',
  path: '/brands/:brand/messages/:message_id',
  tag,
  summary: 'One message, with what the gate said about it',
  may: 'player.read',
  params: MessageParams,
  status: 200,
  answer: Type.Object({
    message: Message,
    decisions: Type.Array(DecisionShown, { description: 'Of the gate, the oldest first' }),
  }),
});

export const recallOne = endpoint({
  method: 'POST',
  path: '/brands/:brand/messages/:message_id/recall',
  tag,
  summary: 'Take a message out of its inbox, read or not; or give it up while it is held',
  description: 'One that was deleted, expired or withheld stays as it is: `recalled` is then false.',
  may: 'message.recall',
  params: MessageParams,
  status: 200,
  answer: Type.Object({ message_id: Type.Integer(), state: State, recalled: Type.Boolean() }),
});

const RecallShown = Type.Object({
  recall_id: Type.Integer(),
  campaign_id: Type.String(),
  state: Type.Enum(['running', 'done']),
  withdrawn: Type.Integer({ description: 'Taken out of inboxes so far' }),
  dropped: Type.Integer({ description: 'Given up so far before they were shown' }),
  requested_at: Moment,
  requested_by: Type.String(),
  finished_at: Nullable(Moment),
});

export const recallCampaign = endpoint({
  method: 'POST',
  path: '/brands/:brand/message-recalls',
  tag,
  summary: 'Take all messages that a campaign has written so far out of every inbox',
  description: 'A few thousand are gone with the answer; a worker goes on with the rest, within seconds.',
  may: 'message.recall',
  params: BrandParams,
  body: Type.Object({ campaign_id: CampaignId }, strict),
  status: 200,
  answer: RecallShown,
});

export const listMessageRecalls = endpoint({
  method: 'GET',
  path: '/brands/:brand/message-recalls',
  tag,
  summary: 'Recalls of campaigns and how far they have come, the newest first',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(pageQuery, strict),
  status: 200,
  answer: PageOf(RecallShown),
});

export const showMessageRecall = endpoint({
  method: 'GET',
  path: '/brands/:brand/message-recalls/:recall_id',
  tag,
  summary: 'One recall and how far it has come',
  may: 'player.read',
  params: Type.Object({
    brand: BrandParams.properties.brand,
    recall_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  status: 200,
  answer: RecallShown,
});
