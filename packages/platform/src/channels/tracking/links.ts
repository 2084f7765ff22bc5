/*
 * Links that count clicks, and the picture that reports that an e-mail was opened. The stored message keeps its own links; they
 * are replaced only in what is sent. A tracked link names the message and the position of its target among the links of that
 * message, so it can lead only to that target.
 */
export interface LinkedWords {
  /** Empty for an SMS. */
  html: string;
  /** The plain part of an e-mail, or the text of an SMS. */
  plain: string;
}

const inHtml = /(<a\b[^>]*?\bhref=")(https?:\/\/[^"]+)(")/gi;
const inPlain = /https?:\/\/[^\s<>"]+/gi;

/** Each target once, in order of appearance: first those of the HTML, then those of the plain part. Pure. */
export function linksOf({ html, plain }: LinkedWords): string[] {
  const ofHtml = [...html.matchAll(inHtml)].map(([, , href = '']) => decoded(href));
  const ofPlain = [...plain.matchAll(inPlain)].map(([url]) => withoutEnd(url));
  return [...new Set([...ofHtml, ...ofPlain])];
}

export interface Tracking {
  /** Address of the tracked link for the target at that position, counted from 1. Null leaves links unchanged. */
  clickUrl: ((place: number) => string) | null;
  /** Address of the picture. Null for no picture. */
  openUrl: string | null;
  /** Links that stay unchanged: the unsubscribe links. */
  isOwn(url: string): boolean;
}

/** Unsubscribe links are not tracked: they stay short, and work forever. */
export function isOwnLink(publicUrl: string): (url: string) => boolean {
  return (url) => url.startsWith(`${publicUrl}/`);
}

/** The content that is sent. Pure. */
export function tracked(words: LinkedWords, { clickUrl, openUrl, isOwn }: Tracking): LinkedWords {
  let { html, plain } = words;
  if (clickUrl !== null) {
    const places = new Map(linksOf(words).map((url, index) => [url, index + 1]));
    const replacement = (url: string) => {
      const place = places.get(url);
      return place === undefined || isOwn(url) ? null : clickUrl(place);
    };
    html = html.replace(inHtml, (whole: string, before: string, href: string, after: string) => {
      const url = replacement(decoded(href));
      return url === null ? whole : `${before}${url}${after}`;
    });
    plain = plain.replace(inPlain, (found) => {
      const target = withoutEnd(found);
      const url = replacement(target);
      return url === null ? found : `${url}${found.slice(target.length)}`;
    });
  }
  return { html: openUrl === null || html === '' ? html : withPicture(html, openUrl), plain };
}

function withPicture(html: string, url: string): string {
  const picture = `<img src="${url}" width="1" height="1" alt="" style="border:0;width:1px;height:1px">`;
  const end = html.toLowerCase().lastIndexOf('</body>');
  return end === -1 ? `${html}${picture}` : `${html.slice(0, end)}${picture}${html.slice(end)}`;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&#38;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

function decoded(attribute: string): string {
  return attribute.replace(/&(?:amp|#38|quot|#39|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

/** Punctuation that ends a sentence, and a bracket that was opened before the link, do not belong to it. */
function withoutEnd(url: string): string {
  const trimmed = url.replace(/[.,;:!?'"]+$/, '');
  return trimmed.endsWith(')') && !trimmed.includes('(') ? withoutEnd(trimmed.slice(0, -1)) : trimmed;
}
