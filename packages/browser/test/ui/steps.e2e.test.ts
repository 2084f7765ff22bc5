import { expect, test } from 'vitest';
import { setupBrowser } from '../../../platform/testing/browser/browser.ts';
import { axeFinds, keepPicture, message, messages, uiPage } from './ui-page.ts';

/** Tests how a player moves from one open message to the next. */
const browser = await setupBrowser();

test('buttons and arrow keys open the previous or next message, focus its title, and announce its position', async (context) => {
  const { page, widget, focused, calls } = await uiPage(browser, context, {
    state: { inbox: messages(3), inboxOpen: true, openId: 3 },
  });
  const previous = widget.getByRole('button', { name: 'Previous message' });
  const next = widget.getByRole('button', { name: 'Next message' });
  const at = async () => [
    await widget.getByRole('status').first().textContent(),
    await widget.locator('.crm-heading').textContent(),
    await focused(),
  ];
  const titles = messages(3).map(({ Title }) => Title);
  expect(await previous.getAttribute('aria-disabled')).toBe('true');
  expect(await axeFinds(page)).toEqual([]);

  await next.click();
  expect(await at()).toEqual(['2 / 3', titles[1], 'crm-detail-title']);
  expect(await previous.getAttribute('aria-disabled')).toBeNull();
  await page.keyboard.press('ArrowRight');
  expect(await at()).toEqual(['3 / 3', titles[2], 'crm-detail-title']);
  // At the end, the button and the key do nothing, and the button keeps the focus.
  await page.keyboard.press('ArrowRight');
  await next.focus();
  await page.keyboard.press('Enter');
  expect(await next.getAttribute('aria-disabled')).toBe('true');
  expect(await focused()).toContain('crm-next');
  await page.keyboard.press('ArrowLeft');
  // The script ignores these keys, because the browser uses them, for example to scroll.
  for (const key of ['Shift+ArrowLeft', 'Control+ArrowLeft', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
  expect(await at()).toEqual(['2 / 3', titles[1], 'crm-detail-title']);
  await previous.focus();
  await page.keyboard.press('Enter');
  expect(await at()).toEqual(['1 / 3', titles[0], 'crm-detail-title']);
  expect(await calls()).toEqual(['open 2', 'open 1', 'open 2', 'open 3']);

  // Back in the list, the message that was open last has the focus.
  await page.keyboard.press('ArrowRight');
  await widget.getByRole('button', { name: 'Back' }).click();
  expect(await focused()).toBe('crm-open-2');
});

test('on a right-to-left page, the left arrow opens the next message, and the buttons point that way', async (context) => {
  const { page, widget } = await uiPage(browser, context, {
    html: 'lang="ar" dir="rtl"',
    viewport: { width: 320, height: 568 },
    state: { inbox: messages(3), inboxOpen: true, openId: 2 },
  });
  await keepPicture(page, 'steps-rtl');
  expect(await axeFinds(page)).toEqual([]);
  const box = (name: string) => widget.locator(`.crm-${name}`).first().boundingBox();
  expect((await box('next'))?.x).toBeLessThan((await box('previous'))?.x ?? 0);
  expect(await box('inbox')).toMatchObject({ x: 0, width: 320 });
  expect((await box('close'))?.x).toBeGreaterThanOrEqual(0);
  expect((await box('back'))?.x).toBeLessThan(280);
  const position = widget.getByRole('status').first();
  await page.keyboard.press('ArrowLeft');
  expect(await position.textContent()).toBe('3 / 3');
  await page.keyboard.press('ArrowRight');
  expect(await position.textContent()).toBe('2 / 3');
});

test('while a wide table in a message has the focus, the arrow keys do not open another message', async (context) => {
  const wide = '<table style="width:900px"><tr><td>wide</td></tr></table>';
  const { page, widget, calls } = await uiPage(browser, context, {
    rules: '#crm-widget .crm-html td { min-width: 900px }',
    state: { inbox: messages(2, { Message: wide }), inboxOpen: true, openId: 2 },
  });
  await widget.locator('.crm-html').evaluate((element: unknown) => {
    const scroller = element as { tabIndex: number; focus(): void };
    scroller.tabIndex = 0;
    scroller.focus();
  });
  await page.keyboard.press('ArrowRight');
  expect(await calls()).toEqual([]);
});

test('opening the last loaded message requests the next page once, and then the message has a next one', async (context) => {
  const { widget, set, calls } = await uiPage(browser, context, {
    state: { inbox: messages(2), inboxOpen: true, hasMore: true },
  });
  await widget.locator('.crm-read-more').first().click();
  expect(await calls()).toEqual(['finishRemoving', 'open 2'].slice(1));
  const next = widget.getByRole('button', { name: 'Next message' });
  await next.click();
  await set({ unread: 7 });
  expect(await calls()).toEqual(['open 2', 'open 1', 'dismissProblem', 'loadMore']);
  expect(await next.getAttribute('aria-disabled')).toBe('true');
  await set({ inbox: [...messages(2), { ...message, MessageId: 0, Title: 'The oldest' }], hasMore: false });
  await next.click();
  expect(await widget.locator('.crm-heading').textContent()).toBe('The oldest');
});

test('in the list of unread messages, the next message is the next unread one', async (context) => {
  // Message 2 of 4 is read.
  const { page, widget, calls } = await uiPage(browser, context, {
    state: { inbox: messages(4), unread: 3, inboxOpen: true },
  });
  await widget.getByRole('button', { name: 'Unread only' }).click();
  await widget.locator('.crm-read-more').nth(1).click();
  expect(await widget.getByRole('status').first().textContent()).toBe('2 / 3');
  await page.keyboard.press('ArrowRight');
  expect(await calls()).toEqual(['open 3', 'open 1']);
});
