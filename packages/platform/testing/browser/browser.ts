import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, type TestContext } from 'vitest';
import { findBrowser } from './find-browser.ts';

/** Of a test machine: often root, without a graphics card, and without anything to synchronise. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // /dev/shm has 64 MB in a container.
  '--disable-dev-shm-usage',
];

export interface TestBrowser {
  /**
   * A page with cookies and storage of its own, closed when the test ends. Skips the test, with the reason, where there is no browser.
   */
  page(context: TestContext, options?: BrowserContextOptions): Promise<Page>;
}

/** One browser for this test file: `const browser = await setupBrowser()` at its top. */
export async function setupBrowser(): Promise<TestBrowser> {
  const { found, failures } = await findBrowser();
  const browser = found && (await chromium.launch({ executablePath: found.path, args: flags }));
  afterAll(() => browser?.close());
  return {
    async page(context, options) {
      if (browser === null)
        context.skip(['there is no browser: see packages/platform/testing/browser', ...failures].join('; '));
      const pages = await newContext(browser, options);
      // Of the test itself, not of vitest: tests of one file may run side by side.
      context.onTestFinished(() => pages.close());
      return pages.newPage();
    },
  };
}

function newContext(browser: Browser | null, options: BrowserContextOptions = {}) {
  if (browser === null) throw new Error('the test goes on although it was skipped');
  return browser.newContext(options);
}
