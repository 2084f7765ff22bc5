import { type Browser, chromium } from 'playwright-core';
import { createUser } from '../../packages/platform/src/console/accounts/accounts.ts';
import { findBrowser } from '../../packages/platform/testing/browser/find-browser.ts';
import type { BenchPlatform } from '../platform.ts';

type Cookies = NonNullable<Parameters<Browser['newContext']>[0]>['storageState'];

/** A browser in which a person is signed in to the console. */
export interface ConsoleBrowser {
  version: string;
  /**
   * Milliseconds from the start of the navigation until the page is painted with its data, and nothing on it is loading. Nothing is
   * cached: each call opens a new browser profile with the cookies of the session.
   */
  view(place: string): Promise<number>;
  stop(): Promise<void>;
}

/** @throws if there is no browser */
export async function openConsole({ port, pool }: BenchPlatform): Promise<ConsoleBrowser> {
  const { found, failures } = await findBrowser();
  if (found === null) throw new Error(['there is no browser', ...failures].join('; '));
  const user = { email: `bench-${Date.now()}@example.com`, grants: [{ brand_id: null, role: 'admin' as const }] };
  const { email, password } = await createUser(pool, user);
  const browser = await chromium.launch({
    executablePath: found.path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
  const console = `http://127.0.0.1:${port}/console`;
  let storageState: Cookies;
  try {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(console);
    await page.locator('input[type=email]').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await page.locator('main h2').waitFor();
    storageState = await context.storageState();
    await context.close();
  } catch (error) {
    await browser.close();
    throw error;
  }
  return {
    version: found.version,
    async view(place) {
      const context = await browser.newContext({ locale: 'en-GB', storageState });
      try {
        const page = await context.newPage();
        await page.addInitScript(notePainted);
        await page.goto(`${console}/bench/${place}`, { waitUntil: 'commit' });
        const at = await page.waitForFunction(() => Reflect.get(globalThis, 'paintedAt') as number | undefined);
        return (await at.jsonValue()) ?? Number.POSITIVE_INFINITY;
      } finally {
        await context.close();
      }
    },
    stop: () => browser.close(),
  };
}

/** Checks the page at each frame. The recorded time is the one after the frame that shows the data. */
const notePainted = `(() => {
  const look = () => {
    const isReady = document.querySelector('main h2') && !document.querySelector('[role=status][aria-label=Loading]');
    if (isReady) setTimeout(() => { globalThis.paintedAt = performance.now(); });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;
