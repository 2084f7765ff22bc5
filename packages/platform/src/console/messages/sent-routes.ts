import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  emailStates,
  failedStates,
  listSentMessages,
  messagePurposes,
  type SentMessage,
  sentChannels,
} from '../../channels/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFromSearch, pageQuery, searchedInPages } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { strict, tag } from './schemas.ts';

const Channel = Type.Enum([...sentChannels]);
const bound = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const Sent = Type.Object({
  message_id: Type.Integer(),
  channel: Channel,
  user_id: Nullable(Type.String()),
  purpose: Type.Enum([...messagePurposes]),
  campaign_id: Nullable(Type.String()),
  about: Nullable(
    Type.String({
      description:
        'The subject of an e-mail, the title or the beginning of the text of a message, or the host of a webhook. Null for callers who may not see personal data',
    }),
  ),
  state: Type.Enum([...emailStates]),
  reason: Nullable(Type.String()),
  decision_id: Nullable(Type.Integer({ description: "The gate's decision that is in force" })),
  created_at: Moment,
  sent_at: Nullable(Moment),
  ended_at: Nullable(Moment),
});

export const listSentMessagesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/sent-messages',
  tag,
  summary: "E-mails, SMS, webhooks and messages by the operator's channel in one list, newest first",
  description: `Kept for 90 days after their end. ${searchedInPages} If only failed or unknown messages are listed, every page except the last is full.`,
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      channel: Type.Optional(Channel),
      user_id: Type.Optional(Type.String()),
      state: Type.Optional(
        Type.Enum([...emailStates, 'failed_or_unknown'], {
          description: 'failed_or_unknown: the messages that the overview counts as failed',
        }),
      ),
      reason: Type.Optional(Type.String()),
      campaign_id: Type.Optional(Type.String()),
      ended_from: bound('Only messages that ended at this time or later (RFC 3339)'),
      ended_to: bound('Only messages that ended at this time or earlier (RFC 3339)'),
      ...pageQuery,
    },
    strict,
  ),
  status: 200,
  answer: PageOf(Sent),
});

const cursors = new CursorCodec('sent-messages', Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

/** Messages that go to providers. The routes of each channel show one message with its content. */
export function sentMessageRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listSentMessagesEndpoint, async ({ access, brand, query }) => {
    const { limit, cursor, user_id, channel, state, reason, campaign_id, ended_from, ended_to } = query;
    const player = user_id === undefined ? undefined : await knownPlayer(pool, brand, user_id);
    const filter = {
      channels: sentChannels.filter((one) => channel === undefined || one === channel),
      player_id: player?.player_id,
      states: statesOf(state),
      reason,
      campaign_id,
      ended_from: readMoment('ended_from', ended_from),
      ended_to: readMoment('ended_to', ended_to),
    };
    const before = cursors.decode(cursor);
    const found = await listSentMessages(pool, brand.brand_id, filter, { limit: limit + 1, before });
    const { items, next } = pageFromSearch(found, limit, ({ message_id }) => message_id, cursors);
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((row) => present(row, unmasked)), next };
  });
}

function statesOf(state: string | undefined): readonly SentMessage['state'][] | undefined {
  if (state === undefined) return undefined;
  return state === 'failed_or_unknown' ? failedStates : emailStates.filter((one) => one === state);
}

/** A list needs only the beginning of a long text. */
const longestAbout = 160;

function present(row: SentMessage, unmasked: boolean) {
  const { message_id, channel, user_id, purpose, campaign_id, about, state, reason, decision_id } = row;
  return {
    message_id,
    channel,
    user_id,
    purpose,
    campaign_id,
    about: unmasked ? about.slice(0, longestAbout) : null,
    state,
    reason,
    decision_id,
    created_at: momentText(row.created_at),
    sent_at: momentTextOrNull(row.sent_at),
    ended_at: momentTextOrNull(row.ended_at),
  };
}
