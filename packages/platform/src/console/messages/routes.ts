import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  listNotifications,
  listRecalls,
  type NotificationFilter,
  readNotification,
  readRecall,
} from '../../channels/index.ts';
import { decisionsOfCause } from '../../gate/index.ts';
import type { Access } from '../access/access.ts';
import { presentDecision } from '../compliance/present-decision.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import {
  listBrandMessages,
  listMessageRecalls,
  listPlayerMessages,
  showMessage,
  showMessageRecall,
} from './endpoints.ts';
import { presentMessage, presentRecall } from './present-message.ts';

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const messages = new CursorCodec('messages', Id);
const recalls = new CursorCodec('message-recalls', Id);

interface ListQuery extends Omit<NotificationFilter, 'player_id'> {
  limit: number;
  cursor?: string;
}

/** Reading messages and recalls. What changes them is in action-routes.ts. */
export function messageRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  const list = async (
    { access, brand, query }: { access: Access; brand: Brand; query: ListQuery },
    playerId?: number,
  ) => {
    const { limit, cursor, ...filter } = query;
    const before = cursor === undefined ? undefined : messages.decode(cursor);
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
    const decisions = await decisionsOfCause(pool, brand.brand_id, { kind: 'message', id: String(message_id) });
    const unmasked = access.may('personal.read', brand);
    return { message: presentMessage(row, unmasked), decisions: decisions.map(presentDecision) };
  });

  serve(app, listMessageRecalls, async ({ brand, query: { limit, cursor } }) => {
    const before = cursor === undefined ? undefined : recalls.decode(cursor);
    const rows = await listRecalls(pool, brand.brand_id, { limit: limit + 1, before });
    const { items, next } = pageFrom(rows, limit, ({ recall_id }) => recalls.encode(recall_id));
    return { items: items.map(presentRecall), next };
  });

  serve(app, showMessageRecall, async ({ brand, params: { recall_id } }) => {
    const recall = await readRecall(pool, brand.brand_id, recall_id);
    if (recall === null) throw new Refused('not_found', `the brand has no recall of messages ${recall_id}`);
    return presentRecall(recall);
  });
}

export function noMessage(messageId: number): Refused {
  return new Refused('not_found', `the brand has no message ${messageId}`);
}
