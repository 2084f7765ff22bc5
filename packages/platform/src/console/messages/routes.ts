import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  countRecallable,
  displayTypes,
  listNotifications,
  listRecalls,
  messageChannels,
  messagePurposes,
  type NotificationFilter,
  readNotification,
  readRecall,
} from '../../channels/index.ts';
import { decisionsOfMessage } from '../../gate/index.ts';
import type { Access } from '../access/access.ts';
import { DecisionShown } from '../compliance/contactability-schemas.ts';
import { presentDecision } from '../compliance/present-decision.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import type { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { presentMessage, presentRecall } from './present-message.ts';
import { events, MessageParams, RecallShown, State, strict, tag } from './schemas.ts';

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
  data: Type.Unknown({ description: 'Exactly as sent with the order of the message' }),
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
  decision_id: Nullable(Type.Integer({ description: "The gate's decision that is in force" })),
  live_at: Nullable(Type.String({ format: 'date-time', description: 'Time from which the player can see it' })),
  shown_at: Nullable(
    Type.String({ format: 'date-time', description: 'When it was first shown, as reported by the site' }),
  ),
  read_at: Nullable(Type.String({ format: 'date-time', description: 'When the player opened or clicked it' })),
  clicked_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the player first clicked one of its buttons or links, or its push',
    }),
  ),
  closed_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the player closed the modal, banner or hint. This does not count as read',
    }),
  ),
  deleted_at: Nullable(Type.String({ format: 'date-time', description: 'When the player deleted it' })),
  ended_by: Nullable(Type.String({ description: 'Who recalled it' })),
  due_at: Nullable(Type.String({ format: 'date-time', description: 'Time of the next decision by the gate' })),
});

const listing = {
  method: 'GET',
  tag,
  may: 'player.read',
  query: Type.Object(
    {
      state: Type.Optional(State),
      reason: Type.Optional(Type.String()),
      campaign_id: Type.Optional(Type.String()),
      ...pageQuery,
    },
    strict,
  ),
  status: 200,
  answer: PageOf(Message),
} as const;

export const listPlayerMessages = endpoint({
  ...listing,
  path: '/brands/:brand/players/:user_id/messages',
  summary: 'Messages of a player, newest first: shown, held, withheld and ended ones',
  params: PlayerParams,
});

export const listBrandMessages = endpoint({
  ...listing,
  path: '/brands/:brand/messages',
  summary: 'Messages of a brand, newest first',
  params: BrandParams,
});

export const showMessage = endpoint({
  method: 'GET',
  path: '/brands/:brand/messages/:message_id',
  tag,
  summary: 'One message with the decisions of the gate',
  may: 'player.read',
  params: MessageParams,
  status: 200,
  answer: Type.Object({
    message: Message,
    decisions: Type.Array(DecisionShown, { description: 'Decisions of the gate, oldest first' }),
  }),
});

export const listMessageRecalls = endpoint({
  method: 'GET',
  path: '/brands/:brand/message-recalls',
  tag,
  summary: 'Recalls of campaigns with their progress, newest first',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    { campaign_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })), ...pageQuery },
    strict,
  ),
  status: 200,
  answer: PageOf(RecallShown),
});

export const showRecallable = endpoint({
  method: 'GET',
  path: '/brands/:brand/message-recalls/affected',
  tag,
  summary: 'How many messages a recall of a campaign would remove now',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object({ campaign_id: Type.String({ minLength: 1, maxLength: 200 }) }, strict),
  status: 200,
  answer: Type.Object({
    live: Type.Integer({ description: 'Messages in inboxes' }),
    read: Type.Integer({ description: 'Those of them that were read' }),
    held: Type.Integer({ description: 'Messages that wait for data about their players' }),
  }),
});

export const showMessageRecall = endpoint({
  method: 'GET',
  path: '/brands/:brand/message-recalls/:recall_id',
  tag,
  summary: 'One recall with its progress',
  may: 'player.read',
  params: Type.Object({
    brand: BrandParams.properties.brand,
    recall_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  status: 200,
  answer: RecallShown,
});

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const messages = new CursorCodec('messages', Id);
const recalls = new CursorCodec('message-recalls', Id);

interface ListQuery extends Omit<NotificationFilter, 'player_id'> {
  limit: number;
  cursor?: string;
}

/** Reads messages and recalls. Changes are in action-routes.ts. */
export function messageRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  const list = async (
    { access, brand, query }: { access: Access; brand: Brand; query: ListQuery },
    playerId?: number,
  ) => {
    const { limit, cursor, ...filter } = query;
    const before = messages.decode(cursor);
    const wanted = { ...filter, player_id: playerId };
    const rows = await listNotifications(pool, brand.brand_id, wanted, { limit: limit + 1, before });
    const { items, next } = pageFrom(rows, limit, ({ message_id }) => messages.encode(message_id));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((row) => presentMessage(row, unmasked)), next };
  };

  serve(app, listBrandMessages, (call) => list(call));

  serve(app, listPlayerMessages, async (call) => {
    const player = await knownPlayer(pool, call.brand, call.params.user_id);
    return list(call, player.player_id);
  });

  serve(app, showMessage, async ({ access, brand, params: { message_id } }) => {
    const row = await readNotification(pool, brand.brand_id, message_id);
    if (row === null) throw noMessage(message_id);
    const decisions = await decisionsOfMessage(pool, brand.brand_id, row);
    const unmasked = access.may('personal.read', brand);
    return { message: presentMessage(row, unmasked), decisions: decisions.map(presentDecision) };
  });

  serve(app, listMessageRecalls, async ({ brand, query: { campaign_id, limit, cursor } }) => {
    const before = recalls.decode(cursor);
    const rows = await listRecalls(pool, brand.brand_id, { campaign_id, limit: limit + 1, before });
    const { items, next } = pageFrom(rows, limit, ({ recall_id }) => recalls.encode(recall_id));
    return { items: items.map(presentRecall), next };
  });

  serve(app, showRecallable, ({ brand, query }) => countRecallable(pool, brand.brand_id, query.campaign_id));

  serve(app, showMessageRecall, async ({ brand, params: { recall_id } }) => {
    const recall = await readRecall(pool, brand.brand_id, recall_id);
    if (recall === null) throw notFound('recall', recall_id);
    return presentRecall(recall);
  });
}

export function noMessage(messageId: number): Refused {
  return notFound('message', messageId);
}
