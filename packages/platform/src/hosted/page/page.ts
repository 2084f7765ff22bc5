import { createHash } from 'node:crypto';
import { type Language, languageCodes, languages } from '../texts/languages.ts';
import { type Texts, withBrand } from '../texts/texts.ts';
import { Html, html } from './html.ts';
import { languageIcon } from './icons.ts';
import type { Look } from './look.ts';
import { styleSheet } from './style.ts';

/** The frame of a hosted page: its look, its language, and the links to its other languages. */
export interface Frame {
  look: Look;
  language: Language;
  /** Parameters of this page's address, without `lang`; the language switch keeps them. */
  query: Readonly<Record<string, string>>;
}

/** A complete page, with its content security policy. */
export interface Page {
  html: string;
  policy: string;
  language: Language;
}

/** Returns one text in the language of the frame, with the brand's name inserted. */
export function textOf({ look, language }: Frame): (name: PlainText) => string {
  const texts: Texts = languages[language];
  return (name) => withBrand(texts[name], look.name ?? '');
}
type PlainText = { [Name in keyof Texts]: Texts[Name] extends string ? Name : never }[keyof Texts];

/**
 * Places a body into its frame. The page has no scripts, loads nothing from elsewhere except the logo, and uses addresses
 * relative to its own, so that it works under any path of a proxy.
 *
 * @param title the page's heading. The brand's name is added to it, unless it already contains the name
 */
export function pageOf(frame: Frame, title: string, body: Html): Page {
  const { look, language } = frame;
  const { dir } = languages[language];
  const style = styleSheet(look.color);
  const full = look.name === null || title.includes(look.name) ? title : `${title} · ${look.name}`;
  const page = html`<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${full}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<header>${logo(look)}</header>
<main><div class="card">
${body}
</div></main>
<footer>
${support(frame)}
${languageSwitch(frame)}
</footer>
</body>
</html>
`;
  return { html: page.text, policy: policyOf(look, style), language };
}

function logo({ logo, name }: Look): Html | null {
  if (logo !== null) return html`<img class="logo" src="${logo.url}" alt="${name ?? ''}">`;
  return name === null ? null : html`<p class="wordmark">${name}</p>`;
}

function support(frame: Frame): Html | null {
  const { contact } = frame.look;
  if (contact === null) return null;
  const contactHtml = contact.url === null ? contact.text : html`<a href="${contact.url}">${contact.text}</a>`;
  return html`<p>${textOf(frame)('help')} ${contactHtml}</p>`;
}

function languageSwitch(frame: Frame): Html {
  const items = languageCodes.map((code) => {
    const { language_name: name } = languages[code];
    if (code === frame.language) return html`<li><strong aria-current="true">${name}</strong></li>`;
    const address = `?${new URLSearchParams({ ...frame.query, lang: code })}`;
    return html`<li><a href="${address}" lang="${code}" hreflang="${code}">${name}</a></li>`;
  });
  const { language, language_name } = languages[frame.language];
  return html`<details><summary>${languageIcon}<span>${language}: <span class="current">${language_name}</span></span></summary>
<ul class="languages">${items}</ul></details>`;
}

/**
 * The style is allowed by its hash, not by a nonce. So the same page always has the same policy, and no random value is needed.
 * `data:` is for the empty icon, which avoids a request for /favicon.ico.
 */
function policyOf({ logo }: Look, style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const images = logo === null ? 'data:' : `data: ${logo.origin}`;
  return (
    `default-src 'none'; style-src 'sha256-${hash}'; img-src ${images}; form-action 'self'; base-uri 'none'; ` +
    "frame-ancestors 'none'"
  );
}
