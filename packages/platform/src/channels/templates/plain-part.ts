import type SanitizeHtml from 'sanitize-html';
import { library } from '../../library.ts';

const sanitizeHtml = library<typeof SanitizeHtml>('sanitize-html');

const endsLine = /<\/(?:p|div|h[1-6]|li|tr|td|th|table|blockquote|pre|center|mj-[a-z-]+)\s*>|<(?:br|hr)\b[^>]*>/gi;
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
  const withoutHead = markup.replace(/<mj-head\b[\s\S]*?<\/mj-head\s*>/gi, '');
  const withLinks = withoutHead
    .replace(
      /<(a|mj-button)\b[^>]*?\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/\1\s*>/gi,
      (_, tag: string, href: string, text: string) => {
        const shown = href === '' || text.trim() === href ? text : `${text} (${href})`;
        return tag.toLowerCase() === 'a' ? shown : `${shown}<br>`;
      },
    )
    .replace(/<(?:img|mj-image)\b[^>]*?\balt="([^"]*)"[^>]*>/gi, '$1 ');
  const lines = withLinks
    .replace(/\s+/g, ' ')
    .replace(endsLine, '$&\n')
    .replace(/<li\b[^>]*>/gi, '$&- ');
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
