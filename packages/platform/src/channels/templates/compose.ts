import type { FieldError } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { composeCall } from '../calls/content.ts';
import type { CallChannel, CallContents } from '../calls/message.ts';
import { composeEntry } from '../lists/entry.ts';
import { cleanContent } from '../notifications/content.ts';
import type { NotificationContent } from '../notifications/notification.ts';
import { completeFields, isGiven } from './complete.ts';
import { composeEmail, type EmailContent, type EmailFooter } from './email-content.ts';
import { type Ends, missingInMarkup, missingInText } from './ends.ts';
import { type ReadFields, type RenderedFields, readFields, renderFields } from './fields.ts';
import { responsibleGambling } from './footer.ts';
import { chooseLanguage } from './language.ts';
import { TemplateEngine, type VariableName } from './liquid.ts';
import type { Template, TemplateChannel } from './template.ts';
import { unsubscribeWord } from './unsubscribe-words.ts';
import { type TemplateVariables, variablesOfBrand } from './variables.ts';

/*
 * Renders a template for one player: selects the language, renders the fields, and composes the result as the channel composes
 * every message. So a template can contain nothing that a message could not.
 */
export interface Addressee {
  /** The player's language, from the operator's details; null if the details contain no language. */
  language: string | null;
  market: string | null;
  country: string | null;
  /**
   * The player's unsubscribe link. It is signed only if the content shows it, because signing takes a third as long as the rest of
   * the rendering.
   */
  unsubscribeUrl(): string;
}

export type Composed = { language: string; missing: VariableName[]; errors: FieldError[] } & (
  | { channel: 'site' | 'push'; content: NotificationContent }
  | { channel: 'email'; content: EmailContent }
  | { channel: 'sms'; content: { text: string } }
  | { channel: 'webhook'; content: { url: string; body: string } }
  | { channel: 'operator'; content: { title: string; text: string; data: string } }
  | { channel: 'telephone' | 'post_mail'; content: { list: string; note: string } }
  | { channel: 'block'; content: { body: string } }
);

/** A template with its blocks. It is parsed once, and composes for many players. */
export class ReadTemplate {
  readonly template: Pick<Template, 'channel' | 'purpose' | 'content'>;
  readonly #brand: Brand;
  readonly #engine: TemplateEngine;
  readonly #byLanguage = new Map<string, ReadFields>();
  readonly errors: FieldError[] = [];

  /** @param blocks of the brand, in their languages: {code: {language: text}} */
  constructor(template: Pick<Template, 'channel' | 'purpose' | 'content'>, brand: Brand, blocks: BlockTexts) {
    this.template = template;
    this.#brand = brand;
    this.#engine = new TemplateEngine(blocks, brand.settings.time_zone);
    const { channel, content } = template;
    for (const [language, written] of Object.entries(content)) {
      const complete = completeFields(channel, content, language, brand.settings.default_language);
      const { read, errors } = readFields(this.#engine, channel, complete);
      this.#byLanguage.set(language, read);
      // Errors in a field of another language are reported for that language.
      const own = errors.filter(({ path }) => isGiven(written, path.split(/[.[]/)[0] ?? ''));
      this.errors.push(...own.map(({ path, rule, message }) => ({ path: `${language}.${path}`, rule, message })));
    }
  }

  get languages(): string[] {
    return [...this.#byLanguage.keys()];
  }

  /** Variables used in any of its languages. */
  get variables(): VariableName[] {
    return [...new Set([...this.#byLanguage.values()].flatMap(({ variables }) => variables))];
  }

  /** Variables that any of its languages inserts without a default. */
  get needed(): VariableName[] {
    return [...new Set([...this.#byLanguage.values()].flatMap(({ needed }) => needed))];
  }

  /** @param language of the template; if omitted, chosen by the addressee */
  compose(variables: Partial<TemplateVariables>, to: Addressee, language?: string): Composed {
    const { default_language, responsible_gambling } = this.#brand.settings;
    const chosen = language ?? chooseLanguage(this.languages, to.language, default_language);
    const read = chosen === null ? undefined : this.#byLanguage.get(chosen);
    if (chosen === null || read === undefined) throw new Error('the template does not have this language');
    const footer = responsibleGambling(responsible_gambling, { ...to, language: chosen }, default_language);
    const names = read.variables;
    // Only marketing ends with the responsible-gambling text and the unsubscribe link, because a message about an account is
    // not an offer to gamble. On the site, the player needs no link to the page of consents.
    const { channel } = this.template;
    const isOffer = this.template.purpose === 'marketing';
    const needsLink = isOffer && (channel === 'email' || channel === 'sms');
    const url = needsLink || names.includes('unsubscribe_url') ? to.unsubscribeUrl() : '';
    const known = {
      player: {},
      trait: {},
      event: {},
      campaign: {},
      offer: {},
      ...variables,
      brand: variablesOfBrand(this.#brand),
      unsubscribe_url: url,
      responsible_gambling: footer,
      language: chosen,
    };
    const { fields, missing, errors } = renderFields(this.#engine, read, known);
    const ends: Ends = {
      responsible_gambling: isOffer ? footer : null,
      unsubscribe: needsLink ? { url, word: unsubscribeWord(chosen) } : null,
      uses_responsible_gambling: names.includes('responsible_gambling'),
    };
    const made = composeFields(channel, fields, { ...ends, language: chosen });
    return { ...made, language: chosen, missing, errors: [...errors, ...made.errors] };
  }
}

export type BlockTexts = Readonly<Record<string, string>>;

function composeFields(channel: TemplateChannel, fields: RenderedFields, ends: EmailFooter) {
  switch (channel) {
    case 'site':
    case 'push': {
      const content = {
        ...emptyNotification,
        ...fields,
        data: JSON.stringify(fields.data ?? {}),
      } as NotificationContent;
      const shown = [content.title, content.message, content.footer_text].join('<br />');
      const footer = missingInMarkup(ends, shown).responsible_gambling?.html ?? '';
      const footer_text = [content.footer_text, footer].filter((part) => part !== '').join('<br />');
      return { channel, ...cleanContent({ ...content, footer_text }) };
    }
    case 'email':
      return { channel, ...composeEmail({ ...emptyEmail, ...fields }, ends) };
    case 'sms': {
      const written = String(fields.text ?? '').trim();
      const { responsible_gambling, unsubscribe } = missingInText(ends, written);
      const parts = [written, responsible_gambling?.text.trim() ?? ''];
      const text = [...parts, unsubscribe === null ? '' : `${unsubscribe.word}: ${unsubscribe.url}`];
      return composeOfCall('sms', { text: text.filter((part) => part !== '').join('\n') });
    }
    case 'webhook': {
      const body = fields.body === undefined ? '' : JSON.stringify(fields.body);
      return composeOfCall('webhook', { url: String(fields.url ?? ''), body });
    }
    case 'operator': {
      const { title = '', text = '', data = {} } = fields;
      return composeOfCall('operator', { title: String(title), text: String(text), data: JSON.stringify(data) });
    }
    case 'telephone':
    case 'post_mail':
      return { channel, ...composeEntry({ list: String(fields.list ?? ''), note: String(fields.note ?? '') }) };
    case 'block':
      return { channel, content: { body: String(fields.body ?? '') }, errors: [] };
    default:
      return channel satisfies never;
  }
}

function composeOfCall<C extends CallChannel>(channel: C, content: Omit<CallContents[C], 'template'>) {
  const given = { ...content, template: null } as unknown as CallContents[C];
  const { content: whole, errors } = composeCall[channel](given);
  const { template: _, ...said } = whole;
  return { channel, content: said as Omit<CallContents[C], 'template'>, errors };
}

const emptyEmail = { subject: '', preheader: '', mjml: '', html: '', text: '' };
const emptyNotification: NotificationContent = {
  event: 'inbox',
  display_type: 'push',
  title: '',
  message: '',
  preview_text: '',
  footer_text: '',
  data: '{}',
  cta_button_link: '',
  cta_button_text: '',
  cta_button2_link: '',
  cta_button2_text: '',
  image_url: '',
};
