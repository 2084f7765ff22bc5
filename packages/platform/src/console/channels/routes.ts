import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  type CallChannel,
  type CallState,
  callChannels,
  countParts,
  deleteChannelSettings,
  type ListedCall,
  listCalls,
  listChannelSettings,
  messagePurposes,
  playerChannels,
  readCall,
  readChannelHealth,
  readChannelSettings,
  readMessageReports,
  readSettings,
  sentSms,
  writeChannelSettings,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { decisionsOfMessage } from '../../gate/index.ts';
import { record } from '../audit/audit.ts';
import { DecisionShown } from '../compliance/contactability-schemas.ts';
import { presentDecision } from '../compliance/present-decision.ts';
import type { ConsoleDeps } from '../deps.ts';
import { AnyState, MessageParams, presentReports, Reports, strict } from '../messages/schemas.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFromSearch, pageQuery, searchedInPages } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { serve } from '../routing/serve.ts';
import { refusedSettings } from './refused-settings.ts';

const tag = 'Channels';
const Settings = Type.Record(Type.String(), Type.Unknown());
const Channel = Type.Enum([...callChannels]);

const Shown = Type.Object({
  channel: Type.String(),
  state: Type.Enum(['ready', 'off', 'not_set_up'], {
    description: 'Messages of a channel that is off or not set up wait until they expire',
  }),
  settings: Nullable({
    ...Settings,
    description: 'Without secrets. Null: no settings',
  } as typeof Settings),
  changed_at: Nullable(Moment),
  changed_by: Nullable(Type.String()),
  providers: Type.Array(
    Type.Object({
      target: Type.String({ description: 'For a webhook: the host' }),
      circuit: Type.Enum(['closed', 'paused', 'open', 'probing'], { description: 'As last reported by a worker' }),
      last_error: Nullable(Type.String()),
      last_error_at: Nullable(Moment),
      last_success_at: Nullable(Moment),
    }),
  ),
});

export const listChannels = endpoint({
  method: 'GET',
  path: '/brands/:brand/channels',
  tag,
  summary: 'The channels of a brand: their settings without secrets, state, circuits and last errors',
  description:
    'Site, push, telephone and post_mail need no settings here. The SMTP server for e-mail is set in the configuration file.',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({ items: Type.Array(Shown) }),
});

export const setChannel = endpoint({
  method: 'PUT',
  path: '/brands/:brand/channels',
  tag,
  summary: 'Set up a channel that calls a provider: sms, webhook, operator',
  description:
    'Secrets are never returned. An omitted secret keeps its value. `settings: null` deletes the settings. The change takes effect within a second.',
  may: 'channel.manage',
  params: BrandParams,
  body: Type.Object({ channel: Channel, settings: Nullable(Settings) }, strict),
  status: 200,
  answer: Shown,
});

export const smsParts = endpoint({
  method: 'POST',
  path: '/brands/:brand/channels/sms/parts',
  tag,
  summary: 'Count the parts of an SMS with this text',
  description: 'If the brand tracks clicks in SMS, each link is counted with the length of a tracked link.',
  may: 'brand.read',
  params: BrandParams,
  body: Type.Object({ text: Type.String({ maxLength: 10_000 }) }, strict),
  status: 200,
  answer: Type.Object({
    encoding: Type.Enum(['gsm7', 'ucs2']),
    units: Type.Integer({ description: 'Length of the text in septets (gsm7) or units of 16 bits (ucs2)' }),
    parts: Type.Integer(),
  }),
});

const Message = Type.Object({
  message_id: Type.Integer(),
  user_id: Nullable(Type.String()),
  channel: Channel,
  target: Type.String({ description: 'For a webhook: the host' }),
  purpose: Type.Enum([...messagePurposes]),
  campaign_id: Nullable(Type.String()),
  template: Nullable(Type.Object({ code: Type.String(), version: Type.Integer(), language: Type.String() })),
  content: Nullable({
    ...Settings,
    description: 'Null for callers who may not see personal data',
  } as typeof Settings),
  parts: Nullable(
    Type.Integer({
      description: 'Number of parts of an SMS. After sending begins, the count includes tracked links.',
    }),
  ),
  state: AnyState,
  reason: Nullable(Type.String()),
  status: Nullable(Type.Integer({ description: "The provider's last status" })),
  detail: Nullable(Type.String({ description: "The provider's last message. Null for callers who may not see it" })),
  provider_id: Nullable(
    Type.String({
      description: "The provider's id of the message. If it has more than 100 characters, its SHA-256 hash",
    }),
  ),
  attempts: Type.Integer(),
  decision_id: Nullable(Type.Integer()),
  created_at: Moment,
  created_by: Type.String(),
  expires_at: Moment,
  due_at: Nullable(Moment),
  sent_at: Nullable(Moment),
  ended_at: Nullable(Moment),
  ended_by: Nullable(Type.String()),
});

export const listCalledMessages = endpoint({
  method: 'GET',
  path: '/brands/:brand/called-messages',
  tag,
  summary: "SMS, webhooks, or messages by the operator's channel, newest first",
  description: `Kept for 90 days after their end. ${searchedInPages}`,
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      channel: Channel,
      user_id: Type.Optional(Type.String()),
      state: Type.Optional(AnyState),
      reason: Type.Optional(Type.String()),
      campaign_id: Type.Optional(Type.String()),
      ...pageQuery,
    },
    strict,
  ),
  status: 200,
  answer: PageOf(Message),
});

export const showCalledMessage = endpoint({
  method: 'GET',
  path: '/brands/:brand/called-messages/:message_id',
  tag,
  summary: 'One message with the decisions of the gate and the reports about it',
  may: 'player.read',
  params: MessageParams,
  status: 200,
  answer: Type.Object({ message: Message, decisions: Type.Array(DecisionShown), reports: Reports }),
});

const cursors = new CursorCodec('called-messages', Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

/** Settings and state of channels, and the messages that are sent by calls. */
export function channelRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, push, publicUrl } = deps;

  async function shown(brandId: number, email: boolean) {
    const settings = await listChannelSettings(pool, brandId);
    const health = await readChannelHealth(pool, brandId);
    return playerChannels.names.map((channel) => {
      const own = settings.find((one) => one.channel === channel);
      const isOfCalls = callChannels.some((one) => one === channel);
      const isReady = isOfCalls ? own !== undefined : channel !== 'email' || email;
      const isOff = own?.settings.enabled === false;
      return {
        channel,
        state: isOff ? ('off' as const) : isReady ? ('ready' as const) : ('not_set_up' as const),
        settings: own?.settings ?? null,
        changed_at: momentTextOrNull(own?.changed_at ?? null),
        changed_by: own?.changed_by ?? null,
        providers: health
          .filter((one) => one.channel === channel)
          .map(({ target, circuit, last_error, last_error_at, last_success_at }) => ({
            target,
            circuit,
            last_error,
            last_error_at: momentTextOrNull(last_error_at),
            last_success_at: momentTextOrNull(last_success_at),
          })),
      };
    });
  }

  serve(app, listChannels, async ({ brand }) => ({ items: await shown(brand.brand_id, brand.email !== null) }));

  serve(app, setChannel, async ({ access, brand, body }) => {
    const channel = body.channel as CallChannel;
    await transaction(pool, async (tx) => {
      if (body.settings === null) await deleteChannelSettings(tx, brand.brand_id, channel);
      else {
        const before = await readChannelSettings(tx, push.vault, brand, channel);
        const read = readSettings(channel, body.settings, before);
        if (!read.ok) throw refusedSettings(read.errors);
        const by = { at: clock(), by: access.actor };
        await writeChannelSettings(tx, push.vault, brand, channel, read.settings, by);
      }
      const details = { removed: body.settings === null };
      await record(deps, access, { action: 'channel.changed', brand, subject: `channel ${channel}`, details }, tx);
    });
    const items = await shown(brand.brand_id, brand.email !== null);
    const found = items.find((one) => one.channel === channel);
    if (found === undefined) throw new Error(`the channel ${channel} does not exist`);
    return found;
  });

  serve(app, smsParts, async ({ brand: { settings }, body: { text } }) =>
    countParts(sentSms(text, { settings, publicUrl, player: null })),
  );

  serve(app, listCalledMessages, async ({ access, brand, query }) => {
    const { limit, cursor, user_id, channel, state, reason, campaign_id } = query;
    const player = user_id === undefined ? undefined : await knownPlayer(pool, brand, user_id);
    const filter = {
      channel: channel as CallChannel,
      player_id: player?.player_id,
      states: state === undefined ? undefined : [state as CallState],
      reason,
      campaign_id,
    };
    const before = cursors.decode(cursor);
    const found = await listCalls(pool, brand.brand_id, filter, { limit: limit + 1, before });
    const { items, next } = pageFromSearch(found, limit, ({ message_id }) => message_id, cursors);
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((row) => present(row, unmasked)), next };
  });

  serve(app, showCalledMessage, async ({ access, brand, params: { message_id } }) => {
    const row = await readCall(pool, brand.brand_id, message_id);
    if (row === null) throw notFound('message', message_id);
    const [decisions, reports] = await Promise.all([
      decisionsOfMessage(pool, brand.brand_id, row),
      readMessageReports(pool, row),
    ]);
    const unmasked = access.may('personal.read', brand);
    return {
      message: present(row, unmasked),
      decisions: decisions.map(presentDecision),
      reports: presentReports(reports, unmasked),
    };
  });
}

function present(row: ListedCall, unmasked: boolean) {
  const { template_code: code, version_of_template: version, language, player_id: _, ...shown } = row;
  return {
    ...shown,
    template: code === null || version === null || language === null ? null : { code, version, language },
    content: unmasked ? row.content : null,
    detail: unmasked ? row.detail : null,
    created_at: momentText(row.created_at),
    expires_at: momentText(row.expires_at),
    due_at: momentTextOrNull(row.due_at),
    sent_at: momentTextOrNull(row.sent_at),
    ended_at: momentTextOrNull(row.ended_at),
  };
}
