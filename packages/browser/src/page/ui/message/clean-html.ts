import { safeImage, safeLink } from './links.ts';

/*
 * HTML of a message, as nodes that are safe to put on the page. The server sanitized it when it was stored. This is a second
 * safeguard. It is needed for a message from elsewhere (demoMessage), and if the server is faulty.
 *
 *   text --mark--> text without style and on... --template--> inert nodes --keep what is listed, unmark--> nodes
 *
 * The text is marked first, because removing an attribute after parsing is too late. With a strict Content Security Policy,
 * Chromium reports an inline style or handler as soon as it parses it, even in a template (measured, Chromium 156). The rules
 * by which a browser finds attributes in a broken tag are complicated, so they are not repeated here. Every "style" and "on"
 * where an attribute could begin is marked, even in values and in the text between tags. In values and text, the mark is
 * removed again once the browser has parsed the text. A marked style is applied through CSSOM, which no policy restricts. The
 * nodes go on the page as they are and are never serialized again, so what was checked here is what is shown.
 */
/** The mark begins with a letter, so that a tag stays a tag. Its second character does not occur in real text. */
const mark = 'x\uE000';
/** The value of NodeFilter.SHOW_TEXT, whose name would take 16 bytes. */
const textNodes = 4;
const unmarked = (text: string) => text.replaceAll(mark, '');

/**
 * The tags that the server allows (channels/notifications/html.ts). Id, name and class are not allowed, because the
 * page's own look-ups could find them.
 */
const tags =
  /^(a|b|blockquote|br|caption|center|code|d[dlt]|del|div|em|figcaption|figure|font|h[1-6r]|i|img|ins|li|mark|ol|p|pre|s|small|span|strike|strong|su[bp]|t[dhr]|table|tbody|tfoot|thead|u|ul)$/;
const attributes =
  /^(v?align|alt|(bg)?color|border|cell(padd|spac)ing|(col|row)span|dir|lang|scope|size|start|target|title|type)$/;

/** @param trust the page's trusted types policy; if it forbids ours, the text is shown without markup */
export function cleanHtml(html: string, trust: (html: string) => string): DocumentFragment {
  const { content } = parse(html, trust);
  for (const element of content.querySelectorAll<HTMLElement>('*')) {
    if (tags.test(element.localName)) keepListed(element);
    else element.remove();
  }
  const texts = document.createTreeWalker(content, textNodes);
  while (texts.nextNode()) (texts.currentNode as Text).data = unmarked((texts.currentNode as Text).data);
  return content;
}

function parse(html: string, trust: (html: string) => string): HTMLTemplateElement {
  const template = document.createElement('template');
  try {
    template.innerHTML = trust(html.replace(/[\s/"'<](?=style|on)/gi, `$&${mark}`));
  } catch {
    template.content.textContent = html.replace(/<[^>]*>/g, ' ');
  }
  return template;
}

function keepListed(element: HTMLElement): void {
  const { style } = element;
  const given: Record<string, string> = {};
  for (const { localName: name, value: parsed } of [...element.attributes]) {
    const value = unmarked(parsed);
    given[name] = value;
    element.removeAttribute(name);
    // Width and height are set as a style, because the reset of the page's rules also removes the attribute's effect.
    if (/^(width|height)$/.test(name)) style[name as 'width'] = /\D/.test(value) ? value : `${value}px`;
    const safe = name === 'href' ? safeLink(value) : name === 'src' ? safeImage(value) : attributes.test(name) && value;
    if (typeof safe === 'string') element.setAttribute(name, safe);
  }
  if (element.localName === 'img') {
    // A picture that is narrowed keeps its aspect ratio.
    style.aspectRatio = `${given.width}/${given.height}`;
    if (style.aspectRatio) style.height = '';
  }
  // The style comes last, so that it overrides attributes in any order.
  const own = given[`${mark}style`];
  if (own) style.cssText += own;
  if (given.target) element.setAttribute('rel', 'noopener');
}
