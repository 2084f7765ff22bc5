import type { FieldError } from '@croupier/contracts';
import { cleanHtml } from './html.ts';
import { isSafeLink } from './links.ts';
import type { NotificationContent } from './notification.ts';
import { plainText } from './plain-text.ts';

/** Characters, as they come. A list shows a hundred messages: with these it stays below what a browser reads at once. */
export const contentLimits = {
  title: 300,
  message: 20_000,
  preview_text: 500,
  footer_text: 5_000,
  data: 16_384,
  cta_button_link: 2_000,
  cta_button_text: 100,
  cta_button2_link: 2_000,
  cta_button2_text: 100,
  image_url: 2_000,
} as const satisfies Partial<Record<keyof NotificationContent, number>>;

const html = ['message', 'footer_text'] as const;
const plain = ['title', 'preview_text', 'cta_button_text', 'cta_button2_text'] as const;
const links = ['cta_button_link', 'cta_button2_link', 'image_url'] as const;

/**
 * What a message may say, cleaned. Pure.
 *
 * HTML and plain text are cleaned without a word, as every template has something to clean. A link that is not safe is an error, since
 * without it the button would do nothing.
 */
export function cleanContent(content: NotificationContent): { content: NotificationContent; errors: FieldError[] } {
  const errors: FieldError[] = [];
  for (const [name, most] of Object.entries(contentLimits) as [keyof typeof contentLimits, number][]) {
    const { length } = content[name];
    if (length <= most) continue;
    errors.push({ path: name, rule: 'max_length', message: `${name} has ${length} characters, ${most} are allowed` });
  }
  for (const name of links) {
    if (content[name] === '' || isSafeLink(content[name])) continue;
    const message = `${name} must be an http or https address, or a path of the site that begins with /`;
    errors.push({ path: name, rule: 'link', message });
  }
  if (!isObject(content.data)) {
    errors.push({ path: 'data', rule: 'object', message: 'data must be a JSON object' });
  }
  if (errors.length > 0) return { content, errors };
  const clean = { ...content };
  for (const name of html) clean[name] = cleanHtml(content[name]);
  for (const name of plain) clean[name] = plainText(content[name]);
  if (clean.title === '' && clean.message.trim() === '') {
    const message = 'title and message are both empty: there is nothing to show';
    errors.push({ path: 'title', rule: 'empty', message });
  }
  return { content: clean, errors };
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
