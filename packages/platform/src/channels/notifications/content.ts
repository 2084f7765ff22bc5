import type { FieldError } from '@croupier/contracts';
import { cleanHtml } from './html.ts';
import { isSafeLink } from './links.ts';
import type { NotificationContent } from './notification.ts';
import { plainText } from './plain-text.ts';

/**
 * Maximum number of characters, as received and as stored. A list shows a hundred messages. These limits keep it small
 * enough for a browser to read it in one answer.
 */
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

/** Maximum nesting of objects and arrays in `data`. Recursive readers, such as ours, overflow the stack beyond it. */
export const deepestData = 100;

const html = ['message', 'footer_text'] as const;
const plain = ['title', 'preview_text', 'cta_button_text', 'cta_button2_text'] as const;
const links = ['cta_button_link', 'cta_button2_link', 'image_url'] as const;
/** The button that requires a link. The second one closes the message if it has none. */
const mainButton = ['cta_button_text', 'cta_button_link'] as const;

/**
 * Cleans the content of a message. Pure.
 *
 * HTML and plain text are cleaned without an error, because nearly every template needs some cleaning. An unsafe link is an
 * error, and so is a first button without a link, because it would do nothing (docs/decisions/1103). A second button without a
 * link closes the message ("Not now").
 */
export function cleanContent(content: NotificationContent): { content: NotificationContent; errors: FieldError[] } {
  const halves = [...html, ...plain, ...links].flatMap((name) => halfCharacter(name, content[name]));
  const errors = [...halves, ...tooLong(content, '')];
  for (const name of links) {
    if (content[name] === '' || isSafeLink(content[name])) continue;
    const message = `${name} must be an http or https address without a password, or a path of the site that starts with /`;
    errors.push({ path: name, rule: 'link', message });
  }
  errors.push(...dataErrors(content.data));
  if (errors.length > 0) return { content, errors };
  const clean = { ...content };
  for (const name of html) clean[name] = cleanHtml(content[name]);
  for (const name of plain) clean[name] = plainText(content[name]);
  // Cleaning can add text: 20,000 characters of `<a>` become 220,000 with the closing tags.
  errors.push(...tooLong(clean, ' after sanitizing'));
  const [words, link] = mainButton;
  if (clean[words] !== '' && clean[link] === '')
    errors.push({ path: link, rule: 'required', message: `${link} is missing; the button ${words} requires a link` });
  if (clean.title === '' && clean.message.trim() === '') {
    const message = 'title and message are both empty';
    errors.push({ path: 'title', rule: 'empty', message });
  }
  return { content: clean, errors };
}

/** Finds half of a surrogate pair, as in a text that was cut inside an emoji: databases and browsers refuse it. Pure. */
export function halfCharacter(path: string, text: string): FieldError[] {
  return text.isWellFormed() ? [] : [{ path, rule: 'unicode', message: `${path} contains an unpaired surrogate` }];
}

function tooLong(content: NotificationContent, when: string): FieldError[] {
  const limits = Object.entries(contentLimits) as [keyof typeof contentLimits, number][];
  return limits.flatMap(([path, most]) => {
    const { length } = content[path];
    const message = `${path} has ${length} characters${when}; the maximum is ${most}`;
    return length <= most ? [] : [{ path, rule: 'max_length', message }];
  });
}

function dataErrors(json: string): FieldError[] {
  const data = parsed(json);
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return [{ path: 'data', rule: 'object', message: 'data must be a JSON object' }];
  const message = `data nests deeper than ${deepestData} levels`;
  return isDeeper(data, deepestData) ? [{ path: 'data', rule: 'max_depth', message }] : [];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Iterates level by level, because recursion would overflow the stack. */
function isDeeper(value: object, most: number): boolean {
  const isNested = (one: unknown) => typeof one === 'object' && one !== null;
  let level: object[] = [value];
  for (let depth = 1; depth <= most && level.length > 0; depth++)
    level = level.flatMap((one) => Object.values(one)).filter(isNested);
  return level.length > 0;
}
