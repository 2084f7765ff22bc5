import { expect, type TestContext, test } from 'vitest';
import { setupBrowser } from '../../../platform/testing/browser/browser.ts';
import { axeFinds, keepPicture, messages, type UiPageOptions, uiPage } from './ui-page.ts';

/** Tests the swipe that deletes an entry on a touch screen, with the events of a real finger. */
const browser = await setupBrowser();

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

async function withFinger(context: TestContext, options: UiPageOptions = {}) {
  const opened = await uiPage(browser, context, {
    ...phone,
    state: { inbox: messages(12), unread: 8, inboxOpen: true },
    ...options,
  });
  const devtools = await opened.page.context().newCDPSession(opened.page);
  const touch = (type: string, x?: number, y?: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
    });
  /** Puts a finger on an entry and moves it by so many pixels, but does not lift it. */
  const drag = async (right: number, down = 0, row = 0) => {
    const box = await opened.widget.locator('.crm-entry').nth(row).boundingBox();
    const [x, y] = [195, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await touch('touchStart', x, y);
    for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', x + right * part, y + down * part);
  };
  const box = (selector: string) => opened.widget.locator(selector).first().boundingBox();
  /**
   * How far the first entry is from its place, in pixels to the right. The browser passes on a move of the finger with its next
   * frame, so poll it after a drag.
   */
  const moved = async () => ((await box('.crm-entry'))?.x ?? 0) - ((await box('.crm-list'))?.x ?? 0);
  return { ...opened, drag, box, moved, lift: () => touch('touchEnd') };
}

test('a swipe deletes an entry, and Undo restores it', async (context) => {
  const { page, widget, drag, lift, moved, box, calls } = await withFinger(context);
  const before = await box('.crm-entry .crm-delete');
  await drag(-150);
  await keepPicture(page, 'swipe');
  // The entry follows the finger; its delete button stays.
  await expect.poll(moved).toBe(-150);
  expect(await box('.crm-entry .crm-delete')).toEqual(before);
  expect(await widget.locator('.crm-scroll').evaluate((element: unknown) => (element as Element).scrollLeft)).toBe(0);
  expect(await calls()).toEqual([]);
  await lift();
  await keepPicture(page, 'swiped');
  expect(await moved()).toBe(0);
  expect(await axeFinds(page)).toEqual([]);
  await widget.getByRole('button', { name: 'Undo' }).tap();
  expect(await calls()).toEqual(['removeLater 12', 'restore 12']);
  expect(await moved()).toBe(0);
});

test.for([
  { what: 'a short swipe', right: -100, down: 0 },
  { what: 'a swipe in the other direction', right: 150, down: 0 },
])('$what changes nothing and opens nothing', async ({ right, down }, context) => {
  const { drag, lift, moved, calls } = await withFinger(context);
  await drag(right, down);
  await lift();
  expect(await moved()).toBe(0);
  expect(await calls()).toEqual([]);
});

test('a finger that moves up scrolls the list, even if it then moves sideways; a tap opens the message', async (context) => {
  const { widget, drag, lift, moved, calls } = await withFinger(context);
  await drag(-40, -200, 3);
  await lift();
  await expect
    .poll(() => widget.locator('.crm-scroll').evaluate((element: unknown) => (element as Element).scrollTop))
    .toBeGreaterThan(100);
  expect(await moved()).toBe(0);
  expect(await calls()).toEqual([]);
  await widget.locator('.crm-read-more').nth(5).tap();
  expect(await calls()).toEqual(['open 7']);
});

test('on a right-to-left page, the swipe goes to the right; an entry that is drawn again stays under the finger', async (context) => {
  const { page, drag, lift, moved, calls, set } = await withFinger(context, { html: 'lang="ar" dir="rtl"' });
  await drag(150);
  await set({ unread: 7, inbox: messages(12, { PreviewText: 'Changed' }) });
  await keepPicture(page, 'swipe-rtl');
  await expect.poll(moved).toBe(150);
  await lift();
  expect(await calls()).toEqual(['removeLater 12']);
});

test('if the page has its own words for the question only, the swipe asks; a mouse swipes nothing', async (context) => {
  const { widget, drag, lift, moved } = await withFinger(context, {
    texts: { deleteMessagePrompt: 'Nachricht wirklich löschen?' },
  });
  await drag(-150);
  await lift();
  expect(await widget.getByRole('alertdialog').textContent()).toContain('Nachricht wirklich löschen?');
  expect(await moved()).toBe(0);

  const desktop = await uiPage(browser, context, { state: { inbox: messages(2), inboxOpen: true } });
  const row = await desktop.widget.locator('.crm-entry').first().boundingBox();
  await desktop.page.mouse.move((row?.x ?? 0) + 300, (row?.y ?? 0) + 20);
  await desktop.page.mouse.down();
  await desktop.page.mouse.move((row?.x ?? 0) + 20, (row?.y ?? 0) + 20, { steps: 4 });
  expect(await desktop.widget.locator('.crm-entry').first().boundingBox()).toEqual(row);
});

interface Element {
  scrollLeft: number;
  scrollTop: number;
}
