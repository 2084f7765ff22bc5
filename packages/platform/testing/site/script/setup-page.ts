import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, type TestContext } from 'vitest';
import type { TestBrowser } from '../../browser/browser.ts';
import { type LiveSetup, setupLive } from '../live/setup-live.ts';
import { pageOrigin } from '../setup-site.ts';

/*
 * Setup for tests of the browser script: a casino's page in a real browser, on its own origin, with the script and the API of a
 * real process. It records what the page logs, throws, and gets from `Crm.on`.
 */
export interface PageSetup {
  live: LiveSetup;
  /** Address of the platform. */
  root: string;
  /** @param html the HTML of the page's head. The test must include the script in it */
  open(context: TestContext, html: string, options?: OpenOptions): Promise<CasinoPage>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Content-Security-Policy of the page. */
  policy?: string;
  headers?: Record<string, string>;
}

export interface CasinoPage {
  page: Page;
  /** Lines that the script itself wrote to the console. */
  said: string[];
  /** Errors thrown on the page, including unhandled rejections. */
  thrown: string[];
  /** Requested addresses, without the page itself. */
  asked: string[];
  /** Events of `Crm.on`, since `listen`. */
  heard(): Promise<[event: string, detail: unknown][]>;
}

/** @param settings of the brand */
export async function setupPage(
  database: Parameters<typeof setupLive>[0],
  browser: TestBrowser,
  settings: Record<string, unknown> = {},
): Promise<PageSetup> {
  const live = await setupLive(database, {}, settings);
  const root = `http://127.0.0.1:${live.first.port}`;
  return {
    live,
    root,
    async open(context, html, { policy, headers = {}, ...options } = {}) {
      const page = await browser.page(context, options);
      // Newer versions of Chromium ask the user before a page of the internet may access this machine.
      await page
        .context()
        .grantPermissions(['local-network-access'])
        .catch(() => {});
      const found: Omit<CasinoPage, 'heard'> = { page, said: [], thrown: [], asked: [] };
      page.on('console', (line) => found.said.push(line.text()));
      page.on('pageerror', (error) => found.thrown.push(error.message));
      page.on('request', (request) => found.asked.push(request.url()));
      await page.context().route(`${pageOrigin}/**`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          headers: { ...headers, ...(policy === undefined ? {} : { 'content-security-policy': policy }) },
          body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Casino</title>${html}</head><body><h1>Casino</h1></body></html>`,
        }),
      );
      await page.goto(`${pageOrigin}/`);
      return { ...found, heard: () => page.evaluate('window.heard ?? []') };
    },
  };
}

/** Like `expect.poll`, with a timeout that allows for a browser on a busy machine. */
export const eventually = <T>(look: () => T | Promise<T>) => expect.poll(look);

/** A script that records the events of `Crm.on`, for `CasinoPage.heard`. @param api the page's name for `Crm` */
export const listenTo = (api: string) => `
  window.heard = [];
  for (const event of ['message', 'shoutout', 'inbox', 'unread', 'error'])
    ${api}.on(event, (detail) => heard.push([event, detail]));`;

export const listen = listenTo('Crm');
