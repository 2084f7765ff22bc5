import type { FieldError, Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import {
  blocksOf,
  type CauseVariables,
  composeEmail,
  type EmailMessage,
  type MadeMessage,
  type MessageChannel,
  type MessageTerms,
  type NotificationContent,
  playerChannels,
  ReadTemplate,
  readPlayerVariables,
  unsubscribeWord,
} from '../../channels/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refused } from '../routing/refused.ts';
import { knownTemplate } from '../templates/routes.ts';

/** What a message says, as somebody asked for it: in words of its own, or by a template. */
export interface AskedWords extends Omit<NotificationContent, 'event'> {
  channel: MessageChannel | 'email';
  purpose: 'marketing' | 'service';
  event?: NotificationContent['event'];
  template?: string;
  language?: string;
  variables?: CauseVariables;
  subject: string;
  preheader: string;
  html: string;
  mjml: string;
  text: string;
}

export type Words =
  | { channel: 'email'; content: EmailMessage }
  | { channel: MessageChannel; content: NotificationContent };

/** Through the channel that the words are for. */
export function sendWords(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  terms: MessageTerms,
  said: Words,
  at: Micros,
): Promise<MadeMessage[]> {
  return said.channel === 'email'
    ? playerChannels.send(tx, gate, 'email', [{ ...terms, ...said.content }], at)
    : playerChannels.send(tx, gate, said.channel, [{ ...terms, ...said.content }], at);
}

interface Addressed {
  player_id: number;
  user_id: string;
}

/** @throws {Refused} */
export async function wordsOf(asked: AskedWords, player: Addressed, brand: Brand, deps: ConsoleDeps): Promise<Words> {
  if (asked.channel === 'email' && brand.email === null)
    throw new Refused('invalid_request', 'channel: the brand has no SMTP server: set `email` in its configuration');
  if (asked.template !== undefined) return byTemplate(asked, asked.template, player, brand, deps);
  if (asked.channel === 'email') return { channel: 'email', content: emailOf(asked, player, brand, deps) };
  if (asked.event === undefined)
    throw new Refused('invalid_request', 'event: a message on the site needs event, or a template');
  return { channel: asked.channel, content: notificationOf({ ...asked, event: asked.event }) };
}

async function byTemplate(
  asked: AskedWords,
  code: string,
  player: Addressed,
  brand: Brand,
  deps: ConsoleDeps,
): Promise<Words> {
  const { pool, clock } = deps;
  const template = await knownTemplate(deps, brand, code);
  const isOfChannel = template.channel === asked.channel || (template.channel === 'site' && asked.channel === 'push');
  if (!isOfChannel)
    throw new Refused(
      'invalid_request',
      `template: ${code} is of the channel ${template.channel}, not ${asked.channel}`,
    );
  const read = new ReadTemplate({ ...template, purpose: asked.purpose }, brand, await blocksOf(pool, brand));
  if (asked.language !== undefined && !read.languages.includes(asked.language))
    throw new Refused('invalid_request', `language: ${code} has ${read.languages.join(', ')}`);
  const { profile, ...variables } = await readPlayerVariables(pool, brand, player, read.variables, clock());
  const to = {
    language: profile?.language ?? null,
    market: profile?.market ?? null,
    country: profile?.country ?? null,
    unsubscribe_url: unsubscribeLink(asked, player, brand, deps),
  };
  const composed = read.compose({ ...variables, ...asked.variables }, to, asked.language);
  refuseErrors([...read.errors, ...composed.errors]);
  if (composed.channel === 'block') throw new Error('a block is of no channel that sends');
  if (composed.channel === 'email') {
    const made = { code, version: template.version, language: composed.language };
    return { channel: 'email', content: { ...composed.content, template: made } };
  }
  return { channel: asked.channel as MessageChannel, content: composed.content };
}

/** The channel that a template was made for stands in the link, too. */
function unsubscribeLink(
  { channel }: AskedWords,
  { player_id }: Addressed,
  { brand_id }: Brand,
  { links }: ConsoleDeps,
) {
  const consents = { email: 'Email', site: 'SiteNotification', push: 'PushNotification' } as const;
  return links.link({ brand_id, player_id, channel: consents[channel] });
}

function emailOf(asked: AskedWords, player: Addressed, brand: Brand, deps: ConsoleDeps): EmailMessage {
  const { subject, preheader, html, mjml, text, purpose } = asked;
  const url = unsubscribeLink(asked, player, brand, deps);
  const language = brand.settings.default_language;
  const unsubscribe = purpose === 'marketing' ? { url, word: unsubscribeWord(language) } : null;
  const parts = { subject, preheader, html, mjml, text };
  const { content, errors } = composeEmail(parts, { language, responsible_gambling: null, unsubscribe });
  refuseErrors(errors);
  return { ...content, template: null };
}

function notificationOf(asked: AskedWords & Pick<NotificationContent, 'event'>): NotificationContent {
  return {
    event: asked.event,
    display_type: asked.display_type,
    title: asked.title,
    message: asked.message,
    preview_text: asked.preview_text,
    footer_text: asked.footer_text,
    data: asked.data,
    cta_button_link: asked.cta_button_link,
    cta_button_text: asked.cta_button_text,
    cta_button2_link: asked.cta_button2_link,
    cta_button2_text: asked.cta_button2_text,
    image_url: asked.image_url,
  };
}

function refuseErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw new Refused('invalid_request', errors.map(({ message }) => message).join('; '), { errors });
}
