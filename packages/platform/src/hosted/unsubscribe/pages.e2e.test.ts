import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, type TestContext, test } from 'vitest';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { type HostedSetup, setupHosted } from '../../../testing/hosted/setup-hosted.ts';
import { en } from '../texts/en.ts';
import { languageCodes, languages } from '../texts/languages.ts';
import { withBrand } from '../texts/texts.ts';

/*
 * The pages as players use them: in a real browser, with JavaScript switched off. Screenshots are stored if TEST_PICTURES names
 * a folder.
 */
const { pool } = await setupDatabase();
const browser = await setupBrowser();

const phone = { width: 320, height: 640 };
const desktop = { width: 1100, height: 900 };
const look = {
  display_name: 'Demo Casino',
  brand_color: '#7a1fa2',
  support_contact: 'help@demo-casino.example',
};

async function setup(
  context: TestContext,
  options: BrowserContextOptions & { settings?: Record<string, unknown> } = {},
) {
  const { settings, ...contextOptions } = options;
  const page = await browser.page(context, { javaScriptEnabled: false, viewport: desktop, ...contextOptions });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const hosted = await setupHosted(pool, { settings: { ...look, ...settings } });
  const address = await hosted.app.listen({ port: 0, host: '127.0.0.1' });
  return { page, hosted, complaints, open: (link: string) => page.goto(`${address}${link}`) };
}

const inEnglish = (text: string) => withBrand(text, look.display_name);

/** axe uses timers, which need scripts to be enabled; the pages contain none in either case. */
const forAxe = { javaScriptEnabled: true };

/** Violations of WCAG 2.2 A and AA and of axe's best practices, each as one line. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    return (await axe.run()).violations;
  });
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** By how many pixels the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = (
      globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
    ).document.documentElement;
    return scrollWidth - clientWidth;
  });

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

async function held(hosted: HostedSetup, type: string) {
  return (await hosted.held())[type];
}

test('a player unsubscribes with one click, undoes it, and unsubscribes from everything', async (context) => {
  const { page, hosted, complaints, open } = await setup(context);
  await open(hosted.path());
  await picture(page, 'choices');
  await page.getByRole('button', { name: inEnglish(en.channels.Email.stop) }).click();
  await page.getByRole('heading', { name: en.done_title }).waitFor();
  expect(await held(hosted, 'Email')).toBe(false);
  await picture(page, 'confirmation');

  await page.reload();
  await page.getByRole('button', { name: en.undo }).click();
  await page
    .getByRole('status')
    .filter({ hasText: `${en.undone} E-mail` })
    .waitFor();
  expect(await held(hosted, 'Email')).toBe(true);
  await picture(page, 'undone');

  await page.getByRole('button', { name: `${en.stop} SMS` }).click();
  await page.getByRole('link', { name: en.all_settings }).click();
  await page.getByRole('button', { name: inEnglish(en.stop_all) }).click();
  await page.getByRole('heading', { name: en.done_title }).waitFor();
  expect(Object.values(await hosted.held())).toEqual([false, false, false, false, false, false]);
  await page.getByRole('link', { name: en.all_settings }).click();
  expect(await page.getByRole('button').count()).toBe(0);
  await picture(page, 'all-off');
  // The policy of the page blocked nothing, and no file is missing.
  expect(complaints).toEqual([]);
});

test('the keyboard reaches the large button first, and its label says what it does', async (context) => {
  const { page, hosted, open } = await setup(context);
  await open(hosted.path('SMS'));
  await page.keyboard.press('Tab');
  const focused = page.locator(':focus');
  expect(await focused.textContent()).toBe(inEnglish(en.channels.SMS.stop));
  await picture(page, 'focus');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: en.done_title }).waitFor();
  expect(await held(hosted, 'SMS')).toBe(false);
});

/** A color that is hard to read on white, and one that is hard to read on black. */
const schemes = [
  { scheme: 'light', color: '#ffd400', viewport: phone },
  { scheme: 'dark', color: '#101010', viewport: desktop },
] as const;

test.for(schemes)('no page violates WCAG: $scheme, in $color', async ({ scheme, color, viewport }, context) => {
  const settings = { brand_color: color };
  const { page, hosted, open } = await setup(context, { colorScheme: scheme, viewport, settings, ...forAxe });
  const done = await hosted.post(hosted.path(), { stop: 'SMS' });
  const links = [
    ['choices', hosted.path()],
    ['confirmation', `${hosted.path()}${done.headers.location}`],
    ['too-late', `${hosted.path()}?late=1`],
    ['invalid', '/unsubscribe/cut-off'],
  ] as const;
  for (const [name, link] of links) {
    await open(link);
    await page.locator('summary').click();
    expect(await violations(page), name).toEqual([]);
    expect(await overflow(page), name).toBe(0);
    await picture(page, `${name}-${scheme}`);
  }
});

test('every language fits on the smallest phone, and on a desktop at 400 %', async (context) => {
  const { page, hosted, open } = await setup(context, {
    viewport: phone,
    settings: { display_name: 'Grand Hotel Casino Spielbank' },
  });
  const done = await hosted.post(hosted.path(), { stop: 'SMS' });
  for (const code of languageCodes) {
    for (const query of ['?', `${done.headers.location}&`]) {
      await open(`${hosted.path()}${query}lang=${code}`);
      expect(await page.locator('html').getAttribute('lang')).toBe(code);
      expect(await overflow(page), code).toBe(0);
      await picture(page, `${query === '?' ? 'choices' : 'confirmation'}-${code}-320`);
    }
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(languages[code].done_title);
  }
});
