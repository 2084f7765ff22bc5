import type SanitizeHtml from 'sanitize-html';
import { library } from '../../library.ts';

const sanitizeHtml = library<typeof SanitizeHtml>('sanitize-html');

const endsLine = /<\/(?:p|div|h[1-6]|li|tr|td|th|table|blockquote|pre|center|mj-[a-z-]+)\s*>|<(?:br|hr)\b[^<>]*>/gi;
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/**
 * Generates the plain part of an e-mail from its HTML or MJML: one line per block, the address of each link after its text,
 * pictures as their alternative text. Pure.
 */
export function plainPart(markup: string): string {
  const withoutHead = replaceElements(markup, 'mj-head', '', () => '');
  const shown = (href: string, text: string) => (href === '' || text.trim() === href ? text : `${text} (${href})`);
  const href = '[^<>]*?\\bhref="([^"]*)"';
  const withLinks = replaceElements(withoutHead, 'a', href, (to, text) => shown(to, text));
  const withButtons = replaceElements(withLinks, 'mj-button', href, (to, text) => `${shown(to, text)}<br>`);
  const withPictures = withButtons.replace(/<(?:img|mj-image)\b[^<>]*?\balt="([^"]*)"[^<>]*>/gi, '$1 ');
  const lines = withPictures
    .replace(/\s+/g, ' ')
    .replace(endsLine, '$&\n')
    .replace(/<li\b[^<>]*>/gi, '$&- ');
  const text = sanitizeHtml()(lines, { allowedTags: [], allowedAttributes: {} });
  return text
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Replaces elements of one kind. Only the part up to the last closing tag is searched: otherwise, each opening tag without a closing one
 * would search the rest of the text, and 30,000 of them took 1.9 s.
 *
 * @param attributes a pattern of attributes; `to` gets its groups, and then what the element contains
 */
function replaceElements(markup: string, tag: string, attributes: string, to: (...parts: string[]) => string): string {
  const closing = [...markup.matchAll(new RegExp(`</${tag}\\s*>`, 'gi'))].at(-1);
  if (closing === undefined) return markup;
  const end = closing.index + closing[0].length;
  const element = new RegExp(`<${tag}\\b${attributes}[^<>]*>([\\s\\S]*?)</${tag}\\s*>`, 'gi');
  return markup.slice(0, end).replace(element, (_, ...found: string[]) => to(...found)) + markup.slice(end);
}
