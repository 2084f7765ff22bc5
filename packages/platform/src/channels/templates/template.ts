import { type DisplayType, displayTypes } from '../notifications/notification.ts';

/*
 * A template defines the content of a message: for each language the fields of its channel, written in Liquid. Terms:
 *
 *   template    {code, name, channel, purpose, content}; content = {language: {field: text}}
 *   version     each change of a template creates one, and old versions are kept
 *   block       a template of the channel `block`: text that others insert with {% render 'code' %}, or use as a layout with
 *               {% layout 'code' %}
 *   variable    a name used in a text: player.first_name, trait.deposit_sum_7d, event.amount
 *
 *   content --language.ts--> one language --liquid.ts--> texts --compose.ts--> what the channel sends
 */
export const templateChannels = [
  'site',
  'push',
  'email',
  'sms',
  'webhook',
  'operator',
  'telephone',
  'post_mail',
  'block',
] as const;
export type TemplateChannel = (typeof templateChannels)[number];

export type FieldValue = string | Readonly<Record<string, unknown>>;
/** The fields of one language, as written by the author. */
export type WrittenFields = Readonly<Record<string, FieldValue>>;
export type TemplateContent = Readonly<Record<string, WrittenFields>>;

export interface Template {
  template_id: number;
  brand_id: number;
  code: string;
  channel: TemplateChannel;
  version: number;
  name: string;
  purpose: 'marketing' | 'service';
  content: TemplateContent;
}

/**
 * The kinds of fields, and how values are inserted into them:
 *
 *   html, mjml  escaped as HTML; the result is sanitized
 *   plain       inserted unchanged; tags are removed
 *   link        encoded, but a whole address stays unchanged
 *   choice      one of a few words; no Liquid
 *   data        an object, passed on; its texts are Liquid
 *   block       HTML or MJML; escaped as in the text that includes it
 */
export type FieldKind = 'html' | 'mjml' | 'plain' | 'link' | 'choice' | 'data' | 'block';

export interface FieldSpec {
  kind: FieldKind;
  /** The values of a choice; the first is the default. */
  values?: readonly string[];
}

const plain: FieldSpec = { kind: 'plain' };
const html: FieldSpec = { kind: 'html' };
const link: FieldSpec = { kind: 'link' };
const display: readonly DisplayType[] = ['push', ...displayTypes.filter((type) => type !== 'push')];

const siteFields: Readonly<Record<string, FieldSpec>> = {
  event: { kind: 'choice', values: ['inbox', 'message', 'shoutout'] },
  display_type: { kind: 'choice', values: display },
  title: plain,
  message: html,
  preview_text: plain,
  footer_text: html,
  data: { kind: 'data' },
  cta_button_link: link,
  cta_button_text: plain,
  cta_button2_link: link,
  cta_button2_text: plain,
  image_url: link,
};

/** The fields of each channel. For the site: those of the notification record. An e-mail has `mjml` or `html`. */
export const channelFields: Readonly<Record<TemplateChannel, Readonly<Record<string, FieldSpec>>>> = {
  site: siteFields,
  push: siteFields,
  email: { subject: plain, preheader: plain, mjml: { kind: 'mjml' }, html, text: plain },
  sms: { text: plain },
  webhook: { url: link, body: { kind: 'data' } },
  operator: { title: plain, text: plain, data: { kind: 'data' } },
  telephone: { list: plain, note: plain },
  post_mail: { list: plain, note: plain },
  block: { body: { kind: 'block' } },
};

/** Maximum number of characters of one field as written. */
export const longestField = 100_000;
export const mostLanguages = 60;
