import { createServer } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../packages/platform/testing/browser/find-browser.ts';

/** A casino's page in a real Chromium, with the released browser script and the inbox open. */
export interface CasinoPage {
  browser: string;
  /** The time at which each title was in the inbox, ready to be painted, in milliseconds since 1970. */
  present(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

/** @param options.port of the page; its origin must be listed for the brand. @throws if there is no browser. */
export async function openCasinoPage(options: {
  port: number;
  platform: number;
  session: string;
}): Promise<CasinoPage> {
  const { found, failures } = await findBrowser();
  if (found === null) throw new Error(['there is no browser', ...failures].join('; '));
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html(options.platform, options.session));
  });
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  let browser: Browser | undefined;
  const stop = async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    browser = await chromium.launch({
      executablePath: found.path,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
    });
    const page = await browser.newPage();
    await open(page, options.port);
    return { browser: found.version, stop, present: () => page.evaluate(() => Reflect.get(globalThis, 'shown')) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open(page: Page, port: number): Promise<void> {
  // Newer versions of Chromium ask the user for permission before a page connects to another port of the same machine.
  await page
    .context()
    .grantPermissions(['local-network-access'])
    .catch(() => {});
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction(() => typeof Reflect.get(globalThis, 'Crm')?.toggleInbox === 'function');
  await page.evaluate(() => Reflect.get(globalThis, 'Crm').toggleInbox());
  await page.locator('#crm-widget dialog[open]').waitFor();
}

/** Titles are times of 13 digits. Each is recorded when it first appears in the widget, at the frame that shows it. */
const html = (
  platform: number,
  session: string,
) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Casino</title>
<script>
  window.sid = ${JSON.stringify(session)};
  window.crmbrand = 'bench';
  window.crm = { integrationVersion: '1.1', autoInit: true, inbox: { enable: true } };
  window.shown = {};
  new MutationObserver(() => {
    const titles = document.querySelector('#crm-widget')?.textContent.match(/\\d{13}/g) ?? [];
    const unseen = titles.filter((title) => !(title in shown));
    if (unseen.length > 0) requestAnimationFrame(() => {
      for (const title of unseen) shown[title] ??= performance.timeOrigin + performance.now();
    });
  }).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
</script>
<script async src="http://127.0.0.1:${platform}/loader/crm.js" onload="new CrmLoader()"></script>
<h1>Casino</h1></html>`;
