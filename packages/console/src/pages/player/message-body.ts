import { bodyOfValues, isFilled, type MessageValue } from './message-values.ts';

export const channels = ['site', 'push', 'email', 'sms', 'webhook', 'operator', 'telephone', 'post_mail'] as const;
export type Channel = (typeof channels)[number];
export const purposes = ['marketing', 'service'] as const;
export const events = ['inbox', 'message', 'shoutout'] as const;

/** What the user typed. Only the fields of the chosen channel are sent. */
export interface Typed {
  channel: Channel;
  purpose: (typeof purposes)[number];
  /** Code of a template. Null for a message with its own text. */
  template: string | null;
  language: string | null;
  /** The values that the template takes from the sender. Null until the template is loaded. */
  values: readonly MessageValue[] | null;
  event: (typeof events)[number];
  /** The title, the subject, or the address that a webhook calls. */
  title: string;
  text: string;
  list: string;
  /** A local date and time, or empty. */
  expires: string;
}

export const empty: Typed = {
  channel: 'site',
  purpose: 'marketing',
  template: null,
  language: null,
  values: null,
  event: 'inbox',
  title: '',
  text: '',
  list: '',
  expires: '',
};

/** Returns the fields that the API takes for the chosen channel. Pure. */
export function bodyOfMessage(typed: Typed): Record<string, unknown> {
  const { channel, purpose, expires } = typed;
  const content = contentOfMessage(typed);
  return {
    channel,
    purpose,
    ...(expires !== '' && { expires: new Date(expires).toISOString() }),
    ...('content' in content ? content.content : content),
  };
}

/** Returns the content of a message in the form that an order for a segment takes. Pure. */
export function contentOfMessage(
  typed: Typed,
): { template: string; language?: string; variables?: Record<string, never> } | { content: Record<string, unknown> } {
  const { template, language, values } = typed;
  if (template !== null) {
    // The names of the first level are those that the API knows: event, campaign and offer.
    const variables = bodyOfValues(values ?? []) as Record<string, never>;
    return {
      template,
      ...(language !== null && { language }),
      ...(Object.keys(variables).length > 0 && { variables }),
    };
  }
  return { content: ownText(typed) };
}

/**
 * Whether the message has a text, or a template with every value that it needs. A list of calls or letters needs no note.
 * Pure.
 */
export function hasText({ channel, template, values, title, text }: Typed): boolean {
  if (template !== null) return values?.every(isFilled) ?? false;
  if (channel === 'telephone' || channel === 'post_mail') return true;
  return (channel === 'webhook' ? title : text).trim() !== '';
}

function ownText({ channel, event, title, text, list }: Typed): Record<string, unknown> {
  switch (channel) {
    case 'site':
    case 'push':
      return { event, title, message: paragraphs(text) };
    case 'email':
      return { subject: title, html: paragraphs(text) };
    case 'sms':
      return { text };
    case 'webhook':
      return { url: title.trim() };
    case 'operator':
      return { title, text };
    case 'telephone':
    case 'post_mail':
      return { ...(list !== '' && { list }), note: text };
    default:
      return channel satisfies never;
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns plain text as HTML: an empty line starts a paragraph, and a line break stays one. */
function paragraphs(text: string): string {
  return text
    .trim()
    .replaceAll(/[&<>]/g, (one) => escapes[one] ?? one)
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('');
}
