import { type Micros, readTimestampText } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  contentLimits,
  displayTypes,
  MessageKeyReused,
  messageChannels,
  messagePurposes,
  neverExpires,
  playerChannels,
  readRecall,
  sendWords,
  UnfitNotification,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable, PlayerParams } from '../routing/fields.ts';
import { refusedField, reusedKey } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { wrongFields } from '../routing/wrong-fields.ts';
import { memberText } from './json-member.ts';
import { presentRecall } from './present-message.ts';
import { noMessage } from './routes.ts';
import { AnyState, events, MessageParams, RecallShown, strict, tag } from './schemas.ts';
import { wordsOf } from './words.ts';

const Variables = Type.Record(Type.String(), Type.Unknown());
const CampaignId = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

const text = (name: keyof typeof contentLimits, description: string) =>
  Type.String({ default: '', description: `${description}; at most ${contentLimits[name]} characters` });

export const sendMessage = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/messages',
  tag,
  summary:
    "Send a message to a player: on the site, by push, e-mail, SMS, webhook or the operator's channel, or on a list of people to call or write to",
  description:
    'The gate decides immediately: live, held until more information is known, or withheld. For an e-mail, the gate decides again when it is sent. With `template`, the content comes from the template in the language of the player; omit `event`, `title` and the other content fields. HTML in message and footer_text is sanitized; the other texts are plain. The header Idempotency-Key makes the call safe to retry: the same key and body return the same message, and the same key with another body is answered 409. A key is valid for one player and for 30 days.',
  may: 'message.send',
  conflict: 'The Idempotency-Key was used for another message of the player',
  params: PlayerParams,
  body: Type.Object(
    {
      event: Type.Optional(
        Type.Enum([...events], {
          description:
            'message: a modal. shoutout: a small banner. inbox: a list entry. Required on the site without a template',
        }),
      ),
      display_type: Type.Enum([...displayTypes], {
        default: 'push',
        description:
          'For an inbox message that arrives while the player is on the site: push shows a hint, silent only increases the count',
      }),
      channel: Type.Enum([...messageChannels, 'email', 'sms', 'webhook', 'operator', 'telephone', 'post_mail'], {
        default: 'site',
        description:
          'push: also appears in the inbox, and requires both consents. telephone, post_mail: an entry of a list',
      }),
      template: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Code of a template of this channel' }),
      ),
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
      subject: Type.String({ default: '', description: 'E-mail only' }),
      preheader: Type.String({ default: '', description: 'E-mail: text that mail programs show after the subject' }),
      html: Type.String({ default: '', description: 'E-mail: a fragment. It is sanitized and put into a plain frame' }),
      mjml: Type.String({ default: '', description: 'E-mail: instead of html' }),
      text: Type.String({
        default: '',
        description:
          "E-mail: the plain text part. Default: made from the other part. SMS and operator's channel: the text, a Liquid template",
      }),
      url: Type.String({ default: '', maxLength: 2_000, description: 'Webhook: the URL to call' }),
      body: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            'Webhook: the body; its strings are Liquid templates. Default: message, player, purpose and campaign',
        }),
      ),
      list: Type.String({ default: '', description: 'telephone and post_mail: the list. Default: `default`' }),
      note: Type.String({
        default: '',
        description: 'telephone and post_mail: what to say or print, a Liquid template',
      }),
      purpose: Type.Enum([...messagePurposes], { default: 'marketing' }),
      title: text('title', 'Plain text'),
      message: text('message', 'HTML'),
      preview_text: text('preview_text', 'Plain text'),
      footer_text: text('footer_text', 'HTML'),
      data: Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        description: `For the site's own use, passed on unchanged; at most ${contentLimits.data} characters`,
      }),
      cta_button_link: text('cta_button_link', 'http, https or a path of the site'),
      cta_button_text: text('cta_button_text', 'Plain text. Requires cta_button_link'),
      cta_button2_link: text('cta_button2_link', 'http, https or a path of the site'),
      cta_button2_text: text('cta_button2_text', 'Plain text. Requires cta_button2_link'),
      image_url: text('image_url', 'http, https or a path of the site'),
      expires: Type.Optional(
        Nullable(
          Type.String({
            description: 'RFC 3339, or YYYY-MM-DD HH:MM:SS in UTC, in whole seconds. Default: never',
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
    state: AnyState,
    reason: Nullable(Type.String({ description: 'Why it is held or withheld' })),
    decision_id: Nullable(Type.Integer()),
  }),
});

export const recallOne = endpoint({
  method: 'POST',
  path: '/brands/:brand/messages/:message_id/recall',
  tag,
  summary: 'Recall a message, read or unread; or cancel it while it is held',
  description: 'A deleted, expired or withheld message and a sent e-mail do not change. `recalled` is then false.',
  may: 'message.recall',
  params: MessageParams,
  status: 200,
  answer: Type.Object({ message_id: Type.Integer(), state: AnyState, recalled: Type.Boolean() }),
});

export const recallCampaign = endpoint({
  method: 'POST',
  path: '/brands/:brand/message-recalls',
  tag,
  summary: 'Recall all messages that a campaign has sent so far',
  description: 'A few thousand are removed with the answer. A worker removes the rest within seconds.',
  may: 'message.recall',
  params: BrandParams,
  body: Type.Object({ campaign_id: CampaignId }, strict),
  status: 200,
  answer: RecallShown,
});

/**
 * The number of portions of a recall, of a thousand messages each, that are processed before the order is answered. A worker
 * processes the others.
 */
const portionsAtOnce = 3;

/** Actions on messages, for people and automation: send one, recall one, recall all of a campaign. Each writes an audit row. */
export function messageActionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, signals } = deps;

  serve(app, sendMessage, async ({ access, brand, params, body, bodyText, requestKey }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const { expires, campaign_id = null, channel, purpose } = body;
    const terms = {
      purpose,
      brand_id: brand.brand_id,
      player_id: player.player_id,
      campaign_id,
      expires_at: readExpires(expires ?? null),
      created_by: access.actor,
      request_key: requestKey,
    };
    const asked = { ...body, data: memberText(bodyText, 'data') ?? '{}' };
    const said = await wordsOf(asked, player, brand, deps);
    const { signals: written, ...made } = await transaction(pool, async (tx) => {
      const created = await sendWords(tx, deps, terms, said).catch(refuse);
      const { message_id, state, repeated } = created;
      if (!repeated) {
        const event = 'event' in said.content ? said.content.event : null;
        const details = { channel, purpose, event, campaign_id, template: body.template ?? null, state };
        await record(deps, access, { action: 'message.sent', brand, subject: `message ${message_id}`, details }, tx);
      }
      return created;
    });
    signals.poke(written);
    return made;
  });

  serve(app, recallOne, async ({ access, brand, params: { message_id } }) => {
    const recalled = await transaction(pool, async (tx) => {
      const wanted = { brand_id: brand.brand_id, message_id, by: access.actor };
      const result = await playerChannels.recall(tx, wanted, clock());
      if (result?.recalled) {
        const entry = { action: 'message.recalled', brand, subject: `message ${message_id}` } as const;
        await record(deps, access, entry, tx);
      }
      return result;
    });
    if (recalled === null) throw noMessage(message_id);
    signals.poke(recalled.signals);
    return { message_id, state: recalled.state, recalled: recalled.recalled };
  });

  serve(app, recallCampaign, async ({ access, brand, body: { campaign_id } }) => {
    const { brand_id } = brand;
    const { recall_id, advance } = await transaction(pool, async (tx) => {
      const order = { brand_id, campaign_id, requested_at: clock(), requested_by: access.actor };
      // Currently, only the inbox stores its own messages, so the answer contains one recall.
      const [ordered] = await playerChannels.recallCampaign(tx, order);
      if (ordered === undefined) throw new Error('no channel can recall campaigns');
      const details = { recall_id: ordered.recall_id };
      const entry = {
        action: 'message.campaign_recalled',
        brand,
        subject: `campaign ${campaign_id}`,
        details,
      } as const;
      await record(deps, access, entry, tx);
      return ordered;
    });
    // A recall has two phases, and the end of each takes one more iteration.
    for (let left = portionsAtOnce + 2; left > 0; left--) {
      const advanced = await advance({ pool, clock });
      signals.poke(advanced?.signals ?? []);
      if (advanced === null || advanced.done) break;
    }
    const recall = await readRecall(pool, brand_id, recall_id);
    if (recall === null) throw new Error(`recall ${recall_id} does not exist`);
    return presentRecall(recall);
  });
}

/** @throws {Refused} if it is not a valid time; the creation of the message checks whether it is in the future */
function readExpires(text: string | null): Micros | null {
  if (text === null || text === '' || text === neverExpires) return null;
  const written = readTimestampText(text);
  if (written !== undefined) return written.micros;
  const message = {
    en: 'expires must be a date-time such as 2026-06-01T00:00:00Z, or 2026-06-01 00:00:00 in UTC',
    de: 'expires muss eine Zeit sein, zum Beispiel 2026-06-01T00:00:00Z, oder 2026-06-01 00:00:00 in UTC',
  };
  throw refusedField('expires', 'date-time', message);
}

function refuse(error: unknown): never {
  if (error instanceof UnfitNotification) throw wrongFields(error.errors);
  throw error instanceof MessageKeyReused ? reusedKey(error) : error;
}
