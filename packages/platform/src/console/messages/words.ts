import type { FieldError } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import {
  type CauseVariables,
  composeEmail,
  type EmailMessage,
  type MessageOrder,
  type NotificationContent,
  orderedWords,
  UnfitNotification,
  unsubscribeWord,
  type Words,
} from '../../channels/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refused } from '../routing/refused.ts';
import { wrongFields } from '../routing/wrong-fields.ts';
import { knownTemplate } from '../templates/routes.ts';

/** The requested content of a message: its own text, or a template. */
export interface AskedWords extends Omit<NotificationContent, 'event'> {
  channel: MessageOrder['channel'];
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
  /** The address that a webhook calls. */
  url: string;
  body?: Record<string, unknown>;
  /** The list of people to call or write to, for the channels telephone and post_mail. */
  list: string;
  note: string;
}

interface Addressed {
  player_id: number;
  user_id: string;
}

/** @throws {Refused} */
export async function wordsOf(asked: AskedWords, player: Addressed, brand: Brand, deps: ConsoleDeps): Promise<Words> {
  const { channel, template } = asked;
  if (channel === 'email' && brand.email === null)
    throw new Refused('invalid_request', {
      en: 'channel: the brand has no SMTP server; set `email` in its configuration',
      de: 'channel: Die Marke hat keinen SMTP-Server; setzen Sie `email` in ihrer Konfiguration',
    });
  if (template !== undefined) {
    await knownTemplate(deps, brand, template);
    const { language, variables } = asked;
    return ordered({ template, language, variables }, asked, player, brand, deps);
  }
  switch (channel) {
    case 'email':
      return { channel, content: emailOf(asked, player, brand, deps) };
    case 'site':
    case 'push':
      if (asked.event === undefined)
        throw new Refused('invalid_request', {
          en: 'event: a message on the site requires event, or a template',
          de: 'event: Eine Nachricht auf der Website erfordert event oder eine Vorlage',
        });
      return { channel, content: notificationOf({ ...asked, event: asked.event }) };
    case 'sms':
      return ordered({ content: { text: asked.text } }, asked, player, brand, deps);
    case 'webhook': {
      const { url, body } = asked;
      return ordered({ content: body === undefined ? { url } : { url, body } }, asked, player, brand, deps);
    }
    case 'operator': {
      const { title, text, data } = asked;
      return ordered({ content: { title, text, data: JSON.parse(data) } }, asked, player, brand, deps);
    }
    case 'telephone':
    case 'post_mail':
      return ordered({ content: { list: asked.list, note: asked.note } }, asked, player, brand, deps);
    default:
      return channel satisfies never;
  }
}

async function ordered(
  says: MessageOrder['says'],
  { channel, purpose }: AskedWords,
  player: Addressed,
  brand: Brand,
  deps: ConsoleDeps,
): Promise<Words> {
  return orderedWords(deps.pool, deps, { brand, player, channel, purpose, says }).catch((error: unknown) => {
    if (error instanceof UnfitNotification) throw wrongFields(error.errors);
    throw error;
  });
}

function emailOf(asked: AskedWords, player: Addressed, brand: Brand, deps: ConsoleDeps): EmailMessage {
  const { subject, preheader, html, mjml, text, purpose } = asked;
  const url = deps.links.link({ brand_id: brand.brand_id, player_id: player.player_id, channel: 'Email' });
  const language = brand.settings.default_language;
  const unsubscribe = purpose === 'marketing' ? { url, word: unsubscribeWord(language) } : null;
  const parts = { subject, preheader, html, mjml, text };
  const ends = { responsible_gambling: null, uses_responsible_gambling: false, unsubscribe };
  const { content, errors } = composeEmail(parts, { ...ends, language });
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
  if (errors.length > 0) throw wrongFields(errors);
}
