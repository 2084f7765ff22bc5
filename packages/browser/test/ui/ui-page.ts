import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe from 'axe-core';
import { build } from 'esbuild';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import type { TestBrowser } from '../../../platform/testing/browser/browser.ts';
import { minifiedCss } from '../../src/build/minified-css.ts';
import type { Message, State } from '../../src/page/client/store.ts';
import type { Settings } from '../../src/page/config/settings.ts';
import { defaultTexts } from '../../src/page/config/texts.ts';
import type { MemoryStore } from './memory-store.ts';

/*
 * The screen on a casino page, in a real browser, without loader and server. The test serves the page with a strict
 * policy, and with aggressive rules for all buttons, images and paragraphs.
 */
const origin = 'https://casino.example';
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://cdn.example",
  "require-trusted-types-for 'script'; trusted-types crm",
].join('; ');

export const message: Message = {
  MessageId: 1,
  UserId: 51,
  Event: 'inbox',
  Title: 'Ten free spins on Lucky Lanterns',
  Message:
    '<p>Good evening, Maria. <strong>Ten free spins</strong> are waiting for you on Lucky Lanterns, no deposit needed.</p><p>They are yours until Sunday. Have fun, and play within your limits.</p>',
  PreviewText: 'They are waiting for you, no deposit needed. Yours until Sunday.',
  FooterText: '<small>18+. Winnings from free spins are wagered 20 times. <a href="/terms">Terms apply.</a></small>',
  Data: {},
  CTAButtonLink: '/games/lucky-lanterns',
  CTAButtonText: 'Play now',
  CTAButton2Link: '/promotions',
  CTAButton2Text: 'All promotions',
  ImageUrl: '/img/lanterns.svg',
  IsRead: false,
  Date: '2026-03-02 14:00:00',
  Expires: '2036-03-09 14:00:00',
};

export const settings: Settings = {
  enableEventTracking: false,
  enablePendingRewards: false,
  enableCrmIntegration: false,
  pushWorkerUrl: '',
  inbox: {
    enable: true,
    badgeId: 'badge',
    navBarLogo: '',
    contactEmail: 'help@casino.example',
    termsAboveButtons: false,
    closeModalOnFogClick: false,
  },
  texts: defaultTexts,
};

const css = `
  body { margin: 0; font: 16px/1.4 "Segoe UI", Roboto, "DejaVu Sans", sans-serif; background: #f7f3ec; color: #2b2118; }
  nav { display: flex; gap: 24px; align-items: center; padding: 18px 32px; background: #2b1a3d; color: #fff; }
  nav button { margin-inline-start: auto; }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 20px; padding: 32px; }
  main div { height: 260px; border-radius: 12px; background: linear-gradient(140deg, #e2c9a0, #b77f4f); }
  button { text-transform: uppercase; background: crimson; color: yellow; border: 3px dashed; padding: 20px; letter-spacing: 3px; }
  button::after { content: " »"; }
  .site button, .site a:hover { font-family: serif; background: crimson; }
  * { letter-spacing: 1px; transition: all 3s; }
  img { border: 4px solid lime; float: left; }
  p, h2, h3 { margin: 40px; color: hotpink; text-indent: 2em; }
  dialog, ul, li, header, section { padding: 30px; border: 5px solid green; }
`;

export interface UiPageOptions extends BrowserContextOptions {
  state?: Partial<State>;
  inbox?: Partial<Settings['inbox']>;
  texts?: Record<string, string>;
  /** Additional rules of the page. They are inserted before the script. */
  rules?: string;
  /** Attributes of the html element, as written. */
  html?: string;
  body?: string;
}

let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'page-entry.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2021',
    jsx: 'automatic',
    jsxImportSource: '#draw',
    plugins: [minifiedCss],
  });
  return outputFiles[0]?.text ?? '';
}

const picture = (name: string) => {
  const hue = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 240"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue} 70% 32%)"/><stop offset="1" stop-color="hsl(${hue + 50} 80% 58%)"/></linearGradient></defs><rect width="480" height="240" fill="url(#g)"/><g fill="#fff" opacity=".85"><circle cx="130" cy="120" r="46" opacity=".3"/><circle cx="240" cy="96" r="62" opacity=".4"/><circle cx="350" cy="132" r="38" opacity=".3"/><path d="M240 58l11 26 28 2-21 18 7 28-25-15-25 15 7-28-21-18 28-2z"/></g></svg>`;
};

const defaultBody =
  '<nav><b>Grand Casino</b><span>Slots</span><span>Live</span><button id="opener">Inbox <b id="badge"></b></button></nav><main>' +
  '<div></div>'.repeat(12) +
  '</main>';

/** Opens a page with the screen on it. Errors of the page, such as policy violations, are in `complaints`. */
export async function uiPage(browser: TestBrowser, context: TestContext, options: UiPageOptions = {}) {
  const { state, inbox, texts, rules = '', html = 'lang="en"', body = defaultBody, ...contextOptions } = options;
  const page = await browser.page(context, { reducedMotion: 'reduce', timezoneId: 'Europe/Malta', ...contextOptions });
  const complaints: string[] = [];
  page.on('console', (said) => complaints.push(said.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  bundled ??= bundle();
  const script = await bundled;
  await page.route('**/*', (route) => {
    const { pathname, host } = new URL(route.request().url());
    if (host !== 'casino.example') return route.abort();
    if (pathname === '/ui.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname === '/site.css') return route.fulfill({ contentType: 'text/css', body: css + rules });
    if (pathname.startsWith('/img/')) return route.fulfill({ contentType: 'image/svg+xml', body: picture(pathname) });
    return route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': policy },
      body: `<!doctype html><html ${html}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Casino</title><link rel="stylesheet" href="/site.css"></head><body class="site">${body}<script src="/ui.js"></script></body></html>`,
    });
  });
  await page.goto(`${origin}/lobby`);
  const given = {
    state: state ?? {},
    settings: { ...settings, inbox: { ...settings.inbox, ...inbox }, texts: { ...settings.texts, ...texts } },
  };
  await page.evaluate(({ state, settings }) => {
    const page = globalThis as unknown as InPage;
    page.violated = [];
    page.document.addEventListener('securitypolicyviolation', (event) => page.violated.push(event.violatedDirective));
    page.store = page.createMemoryStore(state);
    page.trusted = page.trustedTypes.createPolicy('crm', { createHTML: (text) => text });
    page.unmount = page.mountUi({ store: page.store, settings, policy: page.trusted, nonce: '' });
    page.document.getElementById('opener')?.addEventListener('click', () => page.store.actions.toggleInbox());
  }, given);
  return {
    page,
    complaints,
    widget: page.locator('#crm-widget'),
    /** Returns a computed property of the first element of the widget that the selector finds. */
    style: (selector: string, property: string) =>
      page
        .locator('#crm-widget')
        .locator(selector)
        .first()
        .evaluate(
          (element: unknown, property) =>
            (globalThis as unknown as InPage).getComputedStyle(element).getPropertyValue(property),
          property,
        ),
    set: (part: Partial<State>) => page.evaluate((part) => (globalThis as unknown as InPage).store.set(part), part),
    calls: () => page.evaluate(() => (globalThis as unknown as InPage).store.calls),
    /** Returns the policies that were violated since the page was opened. */
    violated: () => page.evaluate(() => (globalThis as unknown as InPage).violated),
    unmount: () => page.evaluate(() => (globalThis as unknown as InPage).unmount()),
    /** Returns the focused element, by its classes or id. */
    focused: () =>
      page.evaluate(() => {
        const { activeElement } = (globalThis as unknown as InPage).document;
        return activeElement.id || activeElement.className || activeElement.tagName;
      }),
  };
}

interface InPage {
  violated: string[];
  store: MemoryStore;
  createMemoryStore(initial: Partial<State>): MemoryStore;
  mountUi(options: { store: MemoryStore; settings: Settings; policy: unknown; nonce: string }): () => void;
  unmount(): void;
  getComputedStyle(element: unknown): { getPropertyValue(name: string): string };
  /** The page's policy. */
  trusted: unknown;
  trustedTypes: { createPolicy(name: string, rules: { createHTML(text: string): string }): unknown };
  document: {
    activeElement: { id: string; className: string; tagName: string };
    addEventListener(name: string, listener: (event: { violatedDirective: string }) => void): void;
    getElementById(id: string): { addEventListener(name: string, listener: () => void): void } | null;
  };
}

/** Creates messages of an inbox, newest first. Every third is read, and every fourth has no picture. */
export function messages(count: number, part: Partial<Message> = {}): Message[] {
  const titles = [
    message.Title,
    'Your weekend cashback has arrived',
    'A place at the Friday tournament is reserved for you',
    'New: Temple of the Sun',
    'Double points until midnight',
  ];
  return Array.from({ length: count }, (_, index) => ({
    ...message,
    MessageId: count - index,
    Title: titles[index % titles.length] ?? '',
    IsRead: index % 3 === 2,
    ImageUrl: index % 4 === 3 ? '' : `/img/${'abcdefgh'[index % 8]}${index}.svg`,
    ...part,
  }));
}

/**
 * Returns the violations that axe finds inside the widget, each as one line: of WCAG 2.2 A and AA, and of axe's best
 * practices.
 */
export async function axeFinds(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          within: string,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    return (await axe.run('#crm-widget')).violations;
  });
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Stores a screenshot if TEST_PICTURES names a folder. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
