import { safeImage, safeLink } from './links.ts';

/*
 * HTML of a message, as nodes that are safe to put on the page. The server has sanitised it when it was written; this is the second lock
 * on the same door, for a message that came another way (demoMessage), and for a server that errs.
 *
 *   text --rename--> text without style and on... --template--> inert nodes --keep what is listed--> nodes
 *
 * Renamed first, because under a strict Content Security Policy Chromium reports an inline style or handler at the moment it is parsed,
 * even in a template (measured, Chromium 156): taking the attribute off there is too late. A style that was renamed is applied
 * through CSSOM, which no policy restricts. The nodes go on the page as they are and are never written out as text again, so what
 * was looked at here is what is shown.
 */
/** What the server lets through (channels/notifications/html.ts): no id, name or class, which would answer the page's own look-ups. */
const tags =
  /^(a|b|blockquote|br|caption|center|code|d[dlt]|del|div|em|figcaption|figure|font|h[1-6r]|i|img|ins|li|mark|ol|p|pre|s|small|span|strike|strong|su[bp]|t[dhr]|table|tbody|tfoot|thead|u|ul)$/;
const attributes = /^(v?align|alt|(bg)?color|(col|row)span|dir|lang|scope|size|start|target|title)$/;

/** @param trust The trusted types policy of the page. Where it forbids ours, the words are shown without their markup. */
export function cleanHtml(html: string, trust: (html: string) => string): DocumentFragment {
  const { content } = parse(html, trust);
  for (const element of content.querySelectorAll<HTMLElement>('*')) {
    if (tags.test(element.localName)) keepListed(element);
    else element.remove();
  }
  return content;
}

function parse(html: string, trust: (html: string) => string): HTMLTemplateElement {
  const template = document.createElement('template');
  const renamed = html.replace(/<[^>]+>/g, (tag) => tag.replace(/([\s/"'])(?=(style|on\w+)\s*=)/gi, '$1data-'));
  try {
    template.innerHTML = trust(renamed);
  } catch {
    template.content.textContent = html.replace(/<[^>]*>/g, ' ');
  }
  return template;
}

function keepListed(element: HTMLElement): void {
  for (const { name, value } of [...element.attributes]) {
    if (attributes.test(name)) continue;
    element.removeAttribute(name);
    // As a style, because the reset of the page's rules takes the attribute's effect away, too; the height follows.
    if (name === 'width') element.style.width = /\D/.test(value) ? value : `${value}px`;
    if (name === 'data-style') element.style.cssText = value;
    const safe = name === 'href' ? safeLink(value) : name === 'src' && safeImage(value);
    if (safe) element.setAttribute(name, safe);
  }
  if (element.hasAttribute('target')) element.setAttribute('rel', 'noopener');
}
