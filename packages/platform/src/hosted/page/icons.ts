import type { ConsentType } from '@croupier/contracts';
import { type Html, html } from './html.ts';

/** Inline icons, so that a page loads no other file. They repeat the text beside them, and are hidden from screen readers. */
function icon(paths: Html): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${paths}</svg>`;
}

export const channelIcons: Readonly<Record<ConsentType, Html>> = {
  Email: icon(html`<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="m4 7.5 8 6 8-6"/>`),
  SMS: icon(
    html`<path d="M20 4H4a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h3v3.5L12 17h8a1 1 0 0 0 1-1V5a1 1 0 0 0-1-1Z"/><path d="M8 10.5h.01M12 10.5h.01M16 10.5h.01"/>`,
  ),
  Telephone: icon(
    html`<path d="M6.5 3.5h2.6l1.6 4.3-2 1.6a12 12 0 0 0 5.9 5.9l1.6-2 4.3 1.6v2.6a2 2 0 0 1-2.2 2A16.3 16.3 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2Z"/>`,
  ),
  PostMail: icon(
    html`<path d="M6 3.5h9l4 4v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-15a1 1 0 0 1 1-1Z"/><path d="M14.5 3.5v4.5H19M8.5 12h7M8.5 16h7"/>`,
  ),
  SiteNotification: icon(
    html`<path d="M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10Z"/><path d="M10 19.5a2.2 2.2 0 0 0 4 0"/>`,
  ),
  PushNotification: icon(html`<rect x="6.5" y="2.5" width="11" height="19" rx="2.5"/><path d="M11 18.5h2M10 6h4"/>`),
};

export const checkIcon = icon(html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`);
export const noticeIcon = icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8h.01"/>`);
export const brokenLinkIcon = icon(
  html`<path d="m9.5 14.5 5-5M11 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6L17 12.5M13 17.5l-1.8 1.8a4.2 4.2 0 0 1-6-6L7 11.5"/>`,
);
export const waitIcon = icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5.5l3.5 2"/>`);
export const languageIcon = icon(
  html`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 2.6 3 15.4 0 18M12 3c-3 2.6-3 15.4 0 18"/>`,
);
