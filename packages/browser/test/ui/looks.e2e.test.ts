import { test } from 'vitest';
import { setupBrowser } from '../../../platform/test/browser/browser.ts';
import { expectClean, keepPicture, message, messages, uiPage } from './ui-page.ts';

/** How it looks, and that no rule of WCAG is broken, in each scheme, direction and size. */
const browser = await setupBrowser();

const arabic = { html: 'lang="ar" dir="rtl"' };
const looks = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 },
  { name: 'rtl', viewport: { width: 1280, height: 800 }, ...arabic },
] as const;

test.for(looks)('inbox, message, prompt, modal and banners: $name', async ({ name, ...options }, context) => {
  const { page, widget, set, complaints } = await uiPage(browser, context, {
    ...options,
    state: { inbox: messages(7), unread: 5, inboxOpen: true, hasMore: true },
  });
  const seen = async (what: string) => {
    await expectClean(page, complaints, `${what} ${name}`);
    await keepPicture(page, `${name}-${what}`);
  };
  await seen('inbox');
  await widget.locator('.crm-entry .crm-delete').first().click();
  await seen('prompt');
  await page.keyboard.press('Escape');
  await widget.locator('.crm-read-more').first().click();
  await seen('detail');
  await set({ inbox: [], openId: null, unread: 0, problem: 'delete_failed', phase: 'offline', hasMore: false });
  await seen('empty');
  await set({ phase: 'loading', problem: null });
  await seen('loading');
  await set({ inboxOpen: false, arrivals: [{ ...message, Event: 'message' }] });
  await seen('modal');
  const shoutout = {
    ...message,
    MessageId: 2,
    Event: 'shoutout' as const,
    FooterText: '',
    Message: 'The jackpot stands at <b>€1,204,311</b>.',
    Title: 'Friday jackpot',
    CTAButton2Text: '',
  };
  await set({ problem: 'load_failed', arrivals: [shoutout, { ...message, DisplayType: 'push' }] });
  await seen('banners');
});
