import type { FieldError } from '@croupier/contracts';
import { halfCharacter } from '../notifications/content.ts';
import type { CallChannel, CallContents, OperatorContent, SmsContent, WebhookContent } from './message.ts';

/** Maximum number of characters of an SMS, over all its parts; providers accept this many. */
export const longestSms = 1_600;
const longestBody = 100_000;
const longestText = 20_000;

/** Checks and cleans the content of a message, for each channel. Pure and idempotent. */
export const composeCall: { [C in CallChannel]: (content: CallContents[C]) => Composed<CallContents[C]> } = {
  sms: composeSms,
  webhook: composeWebhook,
  operator: composeOperator,
};

interface Composed<Content> {
  content: Content;
  errors: FieldError[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern removes them; line breaks stay
const controls = /[\u0000-\u0009\u000b-\u001f\u007f]/g;

function composeSms(content: SmsContent): Composed<SmsContent> {
  const text = content.text.replace(/\r\n?/g, '\n').replace(controls, '').trim();
  const errors = halfCharacter('text', text);
  if (text === '') errors.push({ path: 'text', rule: 'required', message: 'text is empty' });
  if (text.length > longestSms)
    errors.push({ path: 'text', rule: 'max_length', message: `text has more than ${longestSms} characters` });
  return { content: { ...content, text }, errors };
}

function composeWebhook(content: WebhookContent): Composed<WebhookContent> {
  const url = URL.parse(content.url);
  const errors = halfCharacter('body', content.body);
  const isGood = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isGood || content.url.length > 2_000)
    errors.push({ path: 'url', rule: 'url', message: 'url must be an http or https address without a password' });
  if (content.body !== '' && !isJson(content.body))
    errors.push({ path: 'body', rule: 'json', message: 'body must be JSON' });
  if (content.body.length > longestBody)
    errors.push({ path: 'body', rule: 'max_length', message: `body has more than ${longestBody} characters` });
  return { content: { ...content, url: isGood ? url.href : content.url }, errors };
}

function composeOperator(content: OperatorContent): Composed<OperatorContent> {
  const parts = ['title', 'text', 'data'] as const;
  const errors = parts.flatMap((name) => halfCharacter(name, content[name]));
  for (const name of parts)
    if (content[name].length > longestText)
      errors.push({ path: name, rule: 'max_length', message: `${name} has more than ${longestText} characters` });
  if (!isJson(content.data) || !content.data.trimStart().startsWith('{'))
    errors.push({ path: 'data', rule: 'object', message: 'data must be a JSON object' });
  if (content.title.trim() === '' && content.text.trim() === '' && content.data.trim() === '{}')
    errors.push({ path: 'text', rule: 'required', message: 'title, text and data are all empty' });
  return { content, errors };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The target whose slots, rate and circuit a message uses. */
export function targetOf(channel: CallChannel, content: CallContents[CallChannel]): string {
  return channel === 'webhook' ? (URL.parse((content as WebhookContent).url)?.host ?? '').slice(0, 253) : '';
}
