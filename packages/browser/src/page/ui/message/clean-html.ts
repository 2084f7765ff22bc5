import { safeImage, safeLink } from './links.ts';

/*
 * HTML of a message, as nodes that are safe to put on the page. The server has sanitised it when it was written; this is the second lock
 * on the same door, for a message that came another way (demoMessage), and for a server that errs.
 *
 *   text --mark--> text without style and on... --template--> inert nodes --keep what is listed, unmark--> nodes
 *
 * Marked first, because under a strict Content Security Policy Chromium reports an inline style or handler at the moment it is parsed,
 * even in a template (measured, Chromium 156): taking the attribute off there is too late. What a browser takes for an attribute in a
 * broken tag is a long tale, so it is not told again here: every "style" and "on" where one could begin is marked, in values and in the
 * text between tags too, where the mark is taken out again when the browser has told which is which. A style that was marked is
 * applied through CSSOM, which no policy restricts. The nodes go on the page as they are and are never written out as text again, so
 * what was looked at here is what is shown.
 */
/** Begins with a letter, so that a tag stays one; nobody writes the other. */
const mark = 'x\uE000';
/** NodeFilter.SHOW_TEXT, whose name weighs 16 bytes. */
const textNodes = 4;
const unmarked = (text: string) => text.replaceAll(mark, '');

/** What the server lets through (channels/notifications/html.ts): no id, name or class, which would answer the page's own look-ups. */
const tags =
  /^(a|b|blockquote|br|caption|center|code|d[dlt]|del|div|em|figcaption|figure|font|h[1-6r]|i|img|ins|li|mark|ol|p|pre|s|small|span|strike|strong|su[bp]|t[dhr]|table|tbody|tfoot|thead|u|ul)$/;
const attributes =
  /^(v?align|alt|(bg)?color|border|cell(padd|spac)ing|(col|row)span|dir|lang|scope|size|start|target|title|type)$/;

/** @param trust The trusted types policy of the page. Where it forbids ours, the words are shown without their markup. */
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
    // As a style, because the reset of the page's rules takes the attribute's effect away, too.
    if (/^(width|height)$/.test(name)) style[name as 'width'] = /\D/.test(value) ? value : `${value}px`;
    const safe = name === 'href' ? safeLink(value) : name === 'src' ? safeImage(value) : attributes.test(name) && value;
    if (typeof safe === 'string') element.setAttribute(name, safe);
  }
  if (element.localName === 'img') {
    // A picture that is narrowed keeps its shape.
    style.aspectRatio = `${given.width}/${given.height}`;
    if (style.aspectRatio) style.height = '';
  }
  // Last, so that it outdoes attributes whichever came first.
  const own = given[`${mark}style`];
  if (own) style.cssText += own;
  if (given.target) element.setAttribute('rel', 'noopener');
}
