import type SanitizeHtml from 'sanitize-html';
import { library } from '../../library.ts';

const sanitizeHtml = library<typeof SanitizeHtml>('sanitize-html');

/*
 * HTML of messages, cleaned before it is stored (docs/reference/design.md 7): it keeps the markup of an offer with its pictures, and
 * removes scripts, forms, frames and everything else that is not listed below.
 *
 * - Ids and classes are removed: a message is part of the page's own DOM, where they would affect its styles and scripts.
 * - Styles stay as a `style` attribute with the properties below. Values have no url(), no expression and no position, so they
 *   load nothing and cannot move an element out of its place. The script sets them through CSSOM, so a strict CSP allows them.
 * - Links lead to http, https, mailto, tel or a path of the site. Every link has noopener and noreferrer.
 */
const blocks = ['p', 'div', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'center'];
const inline = [
  'span',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'strike',
  'del',
  'ins',
  'small',
  'sub',
  'sup',
  'mark',
  'code',
  'font',
];
const lists = ['ul', 'ol', 'li', 'dl', 'dt', 'dd'];
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];
const media = ['a', 'img', 'figure', 'figcaption'];

const length = String.raw`-?\d{1,4}(?:\.\d{1,4})?(?:px|em|rem|%|pt|vw)?`;
const positive = length.slice(2);
const color = String.raw`(?:#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/deg]{1,60}\)|[a-z]{3,30})`;
const style = '(?:none|solid|dashed|dotted|double)';

const whole = (pattern: string) => [new RegExp(`^${pattern}$`, 'i')];
const oneOf = (...words: string[]) => whole(`(?:${words.join('|')})`);
const upToFour = (pattern: string) => whole(`(?:${pattern}|auto)(?:\\s+(?:${pattern}|auto)){0,3}`);
const sides = <T>(name: string, value: T) =>
  Object.fromEntries(['', '-top', '-right', '-bottom', '-left'].map((side) => [`${name}${side}`, value]));

const properties: Record<string, RegExp[]> = {
  color: whole(color),
  background: whole(color),
  'background-color': whole(color),
  'text-align': oneOf('left', 'right', 'center', 'justify', 'start', 'end'),
  'text-decoration': oneOf('none', 'underline', 'line-through'),
  'text-transform': oneOf('none', 'uppercase', 'lowercase', 'capitalize'),
  'font-family': [/^[\w\s,'"-]{1,200}$/],
  'font-size': whole(`(?:${positive}|(?:xx?-)?(?:small|large)|medium|smaller|larger)`),
  'font-style': oneOf('normal', 'italic', 'oblique'),
  'font-weight': oneOf('normal', 'bold', 'bolder', 'lighter', '[1-9]00'),
  'letter-spacing': whole(`(?:normal|${length})`),
  'line-height': whole(`(?:normal|${positive})`),
  'white-space': oneOf('normal', 'nowrap', 'pre', 'pre-line', 'pre-wrap'),
  'vertical-align': oneOf('top', 'middle', 'bottom', 'baseline', 'sub', 'super'),
  display: oneOf('block', 'inline', 'inline-block', 'none'),
  float: oneOf('left', 'right', 'none'),
  width: whole(`(?:auto|${positive})`),
  'max-width': whole(`(?:none|${positive})`),
  height: whole(`(?:auto|${positive})`),
  'max-height': whole(`(?:none|${positive})`),
  ...sides('padding', upToFour(positive)),
  // Not below zero: a negative margin would cover the page around the message.
  ...sides('margin', upToFour(positive)),
  ...sides('border', whole(`(?:none|0|${positive}\\s+${style}(?:\\s+${color})?)`)),
  'border-color': whole(color),
  'border-style': whole(style),
  'border-width': whole(positive),
  'border-radius': upToFour(positive),
  'border-collapse': oneOf('collapse', 'separate'),
  'border-spacing': whole(positive),
};

/** E-mails allow the same, plus the tags of MJML (templates/mjml.ts). */
export const htmlOptions: SanitizeHtml.IOptions = {
  allowedTags: [...blocks, ...inline, ...lists, ...tables, ...media],
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'align'],
    a: ['href', 'target', 'rel', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    font: ['color', 'size'],
    ol: ['start', 'type'],
    td: ['colspan', 'rowspan', 'valign', 'width', 'height', 'bgcolor'],
    th: ['colspan', 'rowspan', 'valign', 'width', 'height', 'bgcolor', 'scope'],
    table: ['width', 'border', 'cellpadding', 'cellspacing', 'bgcolor'],
  },
  allowedStyles: { '*': properties },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  nestingLimit: 50,
  transformTags: { a: link },
};

/** Every link opens without a referrer. Its target stays only if it is _blank or _self. */
function link(tagName: string, { target, ...rest }: SanitizeHtml.Attributes): SanitizeHtml.Tag {
  const attribs: SanitizeHtml.Attributes = { ...rest, rel: 'noopener noreferrer' };
  if (target === '_blank' || target === '_self') attribs.target = target;
  return { tagName, attribs };
}

/** Text without these characters contains no markup and no entities, so cleaning would not change it. Many messages have only a title. */
const markup = /[<>&]/;

/** Pure and idempotent. */
export function cleanHtml(html: string): string {
  const text = html.replaceAll('\0', '');
  return markup.test(text) ? sanitizeHtml()(text, htmlOptions) : text;
}
