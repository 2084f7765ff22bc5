import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, type TestContext } from 'vitest';
import { type BrowserNeeds, findBrowser } from './find-browser.ts';

/** Flags for a test machine, which often runs as root, and has no graphics card and no accounts to synchronize. */
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
   * A page with its own cookies and storage, closed when the test ends. If there is no browser, the test is skipped with the
   * reason. Animations are off by default, because drawing them takes CPU from tests that run at the same time, and most
   * tests do not need them.
   */
  page(context: TestContext, options?: BrowserContextOptions): Promise<Page>;
}

/** One browser per test file: `const browser = await setupBrowser()` at its top. */
export async function setupBrowser(needs?: BrowserNeeds): Promise<TestBrowser> {
  const { found, failures } = await findBrowser(needs);
  const browser = found && (await chromium.launch({ executablePath: found.path, args: flags }));
  afterAll(() => browser?.close());
  return {
    async page(context, options) {
      if (browser === null)
        context.skip(['there is no browser: see packages/platform/testing/browser', ...failures].join('; '));
      const pages = await newContext(browser, options);
      // This uses the hook of the test itself, not vitest's global one, because tests of one file may run concurrently.
      context.onTestFinished(() => pages.close());
      return pages.newPage();
    },
  };
}

function newContext(browser: Browser | null, options: BrowserContextOptions = {}) {
  if (browser === null) throw new Error('the test continues although it was skipped');
  return browser.newContext({ reducedMotion: 'reduce', ...options });
}
