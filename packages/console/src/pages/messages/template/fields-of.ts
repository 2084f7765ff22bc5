import { placeOf } from '../../../code-editor/place-of.ts';
import type { TemplateCatalog } from '../queries.ts';
import type { Channel } from '../starters.ts';
import type { Fields } from './draft.ts';

/**
 * Fields that most messages of a channel do not use. They are shown if they have a text, or if the user asks for them.
 */
const rare: ReadonlySet<string> = new Set([
  'display_type',
  'footer_text',
  'data',
  'cta_button2_link',
  'cta_button2_text',
]);

/** Returns whether most messages of the channel do not use the field. */
export const isRare = (channel: Channel, name: string): boolean =>
  rare.has(name) || (channel === 'email' && name === 'text');

/** The field into which a variable is inserted if the user has chosen no field. */
export const mainFields: ReadonlySet<string> = new Set(['mjml', 'html', 'message', 'body', 'text', 'note']);

/** Returns the fields of the channel in the order of the form. For an e-mail, it returns those of its markup. */
export function fieldsOf(catalog: TemplateCatalog, channel: Channel, written: Fields) {
  const fields = catalog.channels.find((one) => one.channel === channel)?.fields ?? [];
  if (channel !== 'email') return fields;
  const other = written.mjml === undefined && written.html !== undefined ? 'mjml' : 'html';
  const isFramed = other === 'html';
  // MJML contains its own preheader, mj-preview.
  return fields.filter(({ name }) => name !== other && !(isFramed && name === 'preheader' && !written.preheader));
}

/**
 * Returns the problems of one field. A message about an unknown variable begins with its name, and the variable may be
 * in any field.
 */
export function problemsOf(
  errors: readonly { path: string; message: string }[],
  language: string,
  name: string,
  value: unknown,
): { message: string; words?: string }[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return errors.flatMap(({ path, message }) => {
    if (path === `content.${language}.${name}` || path.startsWith(`content.${language}.${name}.`)) return [{ message }];
    const [variable = ''] = message.split(' ', 1);
    return path === 'content' && variable.includes('.') && placeOf(variable, text) >= 0
      ? [{ message, words: variable }]
      : [];
  });
}

/** Channels whose messages can contain images. */
export const showsPictures: ReadonlySet<Channel> = new Set(['email', 'site', 'push', 'block']);

/** Returns the text that puts an image into a field: an address or a tag. E-mails are 600 pixels wide. */
export function pictureIn(field: string, url: string, width: number): string {
  if (field === 'mjml') return `<mj-image src="${url}" alt="" width="${Math.min(width, 600)}px" />`;
  if (field === 'html' || field === 'message' || field === 'body') return `<img src="${url}" alt="" />`;
  return url;
}
