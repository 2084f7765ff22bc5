import { expect, test } from 'vitest';
import { setupBrowser } from '../../../platform/testing/browser/browser.ts';
import type { Message } from '../../src/page/client/store.ts';
import { keepPicture, message, messages, settings, uiPage } from './ui-page.ts';

/** Tests how the screen reacts to players and messages. */
const browser = await setupBrowser();

const asEvent = (Event: Message['Event'], MessageId: number, part: Partial<Message> = {}): Message => ({
  ...message,
  Event,
  MessageId,
  ...part,
});

test('by keyboard alone: open, read, go back, delete, restore, close', async (context) => {
  const { page, widget, focused, calls, set } = await uiPage(browser, context, {
    state: { inbox: messages(3), unread: 2 },
  });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    return focused();
  };
  const overflow = () => page.locator('html').evaluate((element: unknown) => (element as Styled).style.overflow);
  await page.locator('#opener').focus();
  expect(await press('Enter')).toBe('crm-inbox-title');
  expect(await overflow()).toBe('hidden');

  // The focus order is: the button that marks all as read, the close button, the mail address, the filter, the first entry.
  expect(await press('Tab')).toContain('crm-mark-all-read');
  await press('Tab', 'Tab');
  expect(await press('Tab')).toContain('crm-filter');
  expect(await press('Tab')).toBe('crm-open-3');
  expect(await press('Enter')).toBe('crm-detail-title');
  expect(await press(...Array<string>(6).fill('Shift+Tab'))).toContain('crm-back');
  expect(await press('Enter')).toBe('crm-open-3');
  expect(await widget.locator('.crm-unread').textContent()).toBe('1 unread');

  // Undo is where the entry was, and restores it.
  expect(await press('Tab')).toContain('crm-delete');
  expect(await press('Enter')).toBe('crm-undo-3');
  expect(await press('Enter')).toBe('crm-open-3');
  expect(await press('Tab')).toContain('crm-delete');
  expect(await press('Enter')).toBe('crm-undo-3');
  expect(await widget.locator('.crm-removed').textContent()).toBe(`Deleted: ${message.Title}Undo`);

  // Tab cycles inside, in both directions.
  for (let presses = 0; presses < 9; presses++) {
    await press(presses < 4 ? 'Tab' : 'Shift+Tab');
    expect(await widget.locator(':focus').count()).toBe(1);
  }

  // The button for older messages disappears with the last page. The focus then moves to the first message of this
  // page. Properties that the page sets in the meantime stay.
  await set({ hasMore: true });
  await widget.locator('.crm-more').focus();
  await page.locator('html').evaluate((element: unknown) => {
    (element as Styled).style.color = 'red';
  });
  const two = messages(3).filter(({ MessageId }) => MessageId !== 3);
  await set({ hasMore: false, inbox: [...two, { ...message, MessageId: 0 }] });
  expect(await focused()).toBe('crm-open-0');

  expect(await press('Escape')).toBe('opener');
  // The browser reports Escape a little later.
  await expect.poll(overflow).toBe('');
  expect(await page.locator('html').getAttribute('style')).toBe('color: red;');
  expect(await calls()).toEqual([
    'toggleInbox',
    'open 3',
    'backToList',
    'removeLater 3',
    'restore 3',
    'removeLater 3',
    'closeInbox',
  ]);
});

test('an open message is deleted after a question; Escape cancels it without closing the inbox', async (context) => {
  const { page, widget, focused, calls } = await uiPage(browser, context, {
    state: { inbox: messages(2), inboxOpen: true, openId: 2 },
  });
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return focused();
  };
  await widget.locator('.crm-header .crm-delete').focus();
  expect(await press('Enter')).toContain('crm-cancel');
  expect(await press('Escape')).toContain('crm-delete');
  await press('Enter');
  expect(await press('Tab')).toContain('crm-confirm');
  await press('Enter');
  expect(await widget.locator('.crm-entry').count()).toBe(1);
  expect(await calls()).toEqual(['remove 2']);
});

test('a deleted entry can be restored for ten seconds, and longer while the keyboard is on Undo', async (context) => {
  const { page, widget, calls } = await uiPage(browser, context, {
    state: { inbox: messages(3), inboxOpen: true },
  });
  await page.clock.install();
  const removed = widget.locator('.crm-removed');
  const remove = (row: number) => widget.locator('.crm-delete').nth(row).click();
  await remove(0);
  await page.clock.runFor(5_000);
  await remove(0);
  await page.clock.runFor(4_000);
  expect(await removed.count()).toBe(2);
  await page.clock.runFor(1_000);
  expect(await removed.count()).toBe(1);
  // A restored entry is not deleted later.
  await removed.getByRole('button', { name: 'Undo' }).click();
  await page.clock.runFor(60_000);
  expect(await widget.locator('.crm-entry').count()).toBe(2);

  await widget.locator('.crm-delete').first().focus();
  await page.keyboard.press('Enter');
  await page.clock.runFor(60_000);
  expect(await removed.count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.clock.runFor(10_000);
  expect(await removed.count()).toBe(0);
  expect(await calls()).toEqual([
    'removeLater 3',
    'removeLater 2',
    'finishRemoving 3',
    'restore 2',
    'removeLater 2',
    'finishRemoving 2',
  ]);
});

test('only unread messages are listed on request, also those of later pages, until the inbox closes', async (context) => {
  const read = messages(2, { IsRead: true }).map((one) => ({ ...one, MessageId: one.MessageId + 10 }));
  const { page, widget, set, calls } = await uiPage(browser, context, {
    state: { inbox: read, unread: 1, inboxOpen: true, hasMore: true },
  });
  const filter = widget.getByRole('button', { name: 'Unread only' });
  await filter.click();
  // No unread message is loaded yet, so the next page is requested, once.
  await widget.locator('.crm-skeletons').waitFor();
  expect(await calls()).toEqual(['dismissProblem', 'loadMore']);
  // After a failure, the player decides.
  await set({ problem: 'load_failed' });
  expect((await calls()).filter((call) => call === 'loadMore')).toHaveLength(1);
  await set({ problem: null, inbox: [...read, { ...message, MessageId: 3 }], hasMore: false });
  expect(await widget.locator('.crm-entry').count()).toBe(1);
  expect(await filter.getAttribute('aria-pressed')).toBe('true');
  // A deleted entry can be restored, although it is no longer counted.
  await widget.locator('.crm-delete').click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await widget.locator('.crm-entry').click();
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await widget.locator('.crm-empty').textContent()).toBe('No unread messages');
  await page.keyboard.press('Escape');
  await page.locator('#opener').click();
  expect(await widget.locator('.crm-entry').count()).toBe(3);
  expect(await filter.count()).toBe(0);
});

test('a page with its own question and without a word for Undo keeps the question', async (context) => {
  const { page, widget, calls } = await uiPage(browser, context, {
    texts: { deleteMessagePrompt: 'Wirklich?' },
    state: { inbox: messages(1), inboxOpen: true },
  });
  await widget.locator('.crm-entry .crm-delete').click();
  await page.getByRole('alertdialog', { name: 'Wirklich?' }).getByRole('button', { name: 'Delete' }).click();
  expect(await calls()).toEqual(['remove 1']);
});

/** Each part tries to set `pwned`, or to navigate elsewhere. */
const attack = `<p onclick="pwned=1" style="color: rgb(1, 2, 3); position: fixed; inset: 0">words</p>
  <img src="x" onerror="pwned=1"><img/onerror=pwned=1 src=x><script>pwned=1</script><svg onload="pwned=1"><a href="javascript:pwned=1">s</a></svg>
  <a href="javascript:pwned=1">one</a><a href="java&#10;script:pwned=1">two</a><a href="data:text/html,x">three</a><a href=" /ok" target="_blank">four</a>
  <iframe srcdoc="<script>parent.pwned=1</script>"></iframe><style>* { color: red }</style><form action="javascript:pwned=1"><button>go</button></form>
  <math><mtext><table><mglyph><style><img src=x onerror=pwned=1></style></mglyph></table></mtext></math><p id="badge" name="store">ids</p><x-y is="z">custom</x-y>`;

test("nothing in a message runs, misleads or violates the page's policy", async (context) => {
  const bad: Partial<Message> = {
    Title: attack,
    Message: attack,
    PreviewText: attack,
    FooterText: attack,
    CTAButtonLink: 'javascript:pwned=1',
    CTAButtonText: '<img src=x onerror=pwned=1>',
    CTAButton2Link: ' java\nscript:pwned=1',
    CTAButton2Text: 'second',
    ImageUrl: 'javascript:pwned=1',
    Date: attack,
    Expires: attack,
  };
  const { page, widget, set, violated, complaints, calls } = await uiPage(browser, context, {
    inbox: { navBarLogo: 'data:image/svg+xml,<svg onload="pwned=1"/>', contactEmail: '"><img src=x onerror=pwned=1>' },
    texts: { readMore: attack, recieved: attack, inboxEmpty: attack, deleteMessagePrompt: attack },
    state: { inbox: [{ ...message, ...bad, MessageId: 7 }], inboxOpen: true },
  });
  await widget.locator('.crm-entry .crm-delete').click();
  await page.keyboard.press('Escape');
  await set({ openId: 7 });
  const html = widget.locator('.crm-detail .crm-html');
  expect(
    await html
      .locator('p')
      .first()
      .evaluate((element: unknown) => (element as Styled).style.color),
  ).toBe('rgb(1, 2, 3)');
  // The message tries to cover the whole window, but gets only its own place.
  expect((await html.locator('p').first().boundingBox())?.height).toBeLessThan(200);
  expect(await html.locator('a[href]').evaluateAll((all) => all.map((one) => (one as unknown as Anchor).href))).toEqual(
    ['https://casino.example/ok'],
  );
  expect(await html.locator('a[href]').getAttribute('rel')).toBe('noopener');
  await widget.locator('.crm-detail .crm-cta').first().click();
  await set({ arrivals: [asEvent('message', 8, bad), asEvent('shoutout', 9, bad), asEvent('inbox', 10, bad)] });
  for (const button of await widget.locator('.crm-modal .crm-cta, .crm-shoutout .crm-cta').all()) {
    expect(await button.evaluate((element: unknown) => (element as Element).tagName)).toBe('BUTTON');
  }
  await widget.locator('.crm-modal .crm-cta').first().click();
  await widget.locator('.crm-shoutout .crm-html').getByText('words').click();
  expect(
    await widget.locator('[onclick], [onerror], [onload], script, iframe, style, form, .crm-html svg, #badge').count(),
  ).toBe(0);
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
  expect(await violated()).toEqual([]);
  // The browser may report only the missing image.
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
  expect(await calls()).toContain('follow 8');
});

test('every text is in its place, including our additions; every option works', async (context) => {
  const own = Object.fromEntries(
    [
      ...Object.keys(settings.texts),
      'inboxTitle',
      'unread',
      'close',
      'back',
      'delete',
      'cancel',
      'loadMore',
      'loading',
      'offline',
      'load_failed',
    ].map((key) => [key, `my ${key}`]),
  );
  const { page, widget, set, calls } = await uiPage(browser, context, {
    texts: own,
    inbox: { navBarLogo: '/img/logo.svg', termsAboveButtons: true, closeModalOnFogClick: true },
    html: 'lang="de_DE!"',
    state: {
      inbox: messages(2),
      inboxOpen: true,
      unread: 1200,
      hasMore: true,
      problem: 'load_failed',
    },
  });
  const text = (selector: string) => widget.locator(selector).first().textContent();
  expect(await text('.crm-title')).toBe('my inboxTitle');
  expect(await text('.crm-unread')).toBe('999+ my unread');
  await set({ phase: 'offline' });
  expect(await text('.crm-unread')).toBe('my offline');
  expect(await text('.crm-questions')).toBe('my questionsTop help@casino.example');
  expect(await widget.locator('.crm-questions a').getAttribute('href')).toBe('mailto:help@casino.example');
  expect(await text('.crm-date')).toMatch(/^my recieved Mar 2/);
  expect(await text('.crm-valid')).toMatch(/^my validUntil .*2036/);
  expect(await text('.crm-read-more')).toBe('my readMore');
  expect(await text('.crm-more')).toBe('my loadMore');
  expect(await text('.crm-problem')).toContain('my load_failed');
  expect(await widget.locator('.crm-logo').getAttribute('src')).toBe('https://casino.example/img/logo.svg');
  await widget.locator('.crm-problem').getByRole('button', { name: 'my close' }).click();
  // Pressing it again while they load requests nothing.
  await widget.locator('.crm-more').dblclick();
  expect(await text('.crm-more')).toBe('my loading');
  await set({ problem: 'load_failed' });
  expect(await text('.crm-more')).toBe('my loadMore');
  await widget.locator('.crm-entry').first().getByRole('button', { name: 'my delete' }).click();
  expect(await text('.crm-removed p')).toBe(`my deleted ${message.Title}`);
  await page.getByRole('button', { name: 'my undo' }).click();
  await widget.locator('.crm-entry').first().click();
  await widget.getByRole('button', { name: 'my delete' }).click();
  expect(await text('.crm-prompt-words')).toBe('my deleteMessagePrompt');
  await page.getByRole('button', { name: 'my cancel' }).click();
  for (const name of ['previous', 'next'])
    expect(await widget.getByRole('button', { name: `my ${name}` }).getAttribute('title')).toBe(`my ${name}`);
  expect(await text('.crm-detail .crm-questions')).toBe('my questionsShort help@casino.example');
  const order = await widget
    .locator('.crm-body > *')
    .evaluateAll((all) => all.map((one) => (one as unknown as Styled).className));
  expect(order).toEqual(['crm-html', 'crm-terms', 'crm-buttons']);
  await page.getByRole('button', { name: 'my back' }).click();
  await set({ inbox: [], phase: 'loading', hasMore: false });
  expect(await widget.locator('.crm-skeletons').getAttribute('aria-label')).toBe('my loading');
  await set({ phase: 'ready' });
  expect(await widget.locator('.crm-empty p').allTextContents()).toEqual(['my inboxEmpty', 'my inboxEmptyHint']);
  for (const phase of ['signed_out', 'offline', 'idle'] as const) {
    await set({ phase });
    expect(await text('.crm-empty')).toBe('my load_failed');
  }
  // A text selection that ends over the backdrop closes nothing.
  await page.mouse.move(1000, 300);
  await page.mouse.down();
  await page.mouse.move(200, 300);
  await page.mouse.up();
  expect(await calls()).not.toContain('closeInbox');
  await page.mouse.click(200, 300);
  expect(await calls()).toEqual([
    'dismissProblem',
    'dismissProblem',
    'loadMore',
    'removeLater 2',
    'restore 2',
    'open 2',
    'backToList',
    'closeInbox',
  ]);
});

test("the page's rules for #crm-widget win, its general rules have no effect inside", async (context) => {
  const rules = `#crm-widget .crm-title { color: rgb(9, 9, 9) } #crm-widget { --crm-accent: rgb(200, 0, 0) }
    #crm-widget button { border-radius: 3px }`;
  const { page, widget, style, set } = await uiPage(browser, context, {
    rules,
    state: { inbox: messages(2), inboxOpen: true, openId: 2 },
  });
  expect(await style('.crm-title', 'color')).toBe('rgb(9, 9, 9)');
  expect(await style('.crm-cta', 'background-color')).toBe('rgb(200, 0, 0)');
  expect(await style('.crm-close', 'border-radius')).toBe('3px');
  // None of the page's general style rules applies to the widget.
  expect(await style('.crm-close', 'border-style')).toBe('none');
  expect(await style('.crm-close', 'background-color')).toBe('rgba(0, 0, 0, 0)');
  expect(await style('.crm-image', 'border-style')).toBe('none');
  expect(await style('.crm-html p', 'color')).toBe('rgb(23, 26, 38)');
  expect(await style('.crm-html p', 'text-indent')).toBe('0px');
  expect(await style('.crm-cta', 'letter-spacing')).toBe('normal');
  expect(await style('.crm-icon path', 'd')).toContain('path(');
  await page.locator('html').evaluate((element: unknown) => (element as Element).setAttribute('data-theme', 'dark'));
  expect(await style('.crm-dialog', 'background-color')).toBe('rgb(23, 26, 38)');
  await page.emulateMedia({ media: 'print' });
  expect(await widget.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen', forcedColors: 'active' });
  expect(await style('.crm-dialog', 'border-style')).toBe('solid');
  await set({ inboxOpen: false });
});

test('simultaneous arrivals are shown one after the other; a hint disappears when the inbox opens; closing a message does not follow it', async (context) => {
  const { page, widget, set, calls } = await uiPage(browser, context);
  const arrivals = [
    asEvent('message', 1, { Title: 'first' }),
    asEvent('message', 2, { Title: 'second', CTAButtonLink: '#followed' }),
    asEvent('shoutout', 3, { Title: 'loud' }),
    asEvent('shoutout', 4, { Title: 'louder', CTAButtonLink: 'https://elsewhere.example/' }),
    asEvent('inbox', 5, { Title: 'hint' }),
    asEvent('inbox', 6, { Title: 'another hint' }),
  ];
  await set({ arrivals, inbox: [asEvent('inbox', 6), asEvent('inbox', 5)] });
  const titles = () => widget.locator('h2:visible:not(.crm-title)').allTextContents();
  await expect.poll(titles).toEqual(['first', 'hint', 'loud']);
  await page.keyboard.press('Escape');
  await expect.poll(titles).toEqual(['second', 'hint', 'loud']);
  await widget.locator('.crm-modal .crm-cta').first().click();
  expect(page.url()).toBe('https://casino.example/lobby#followed');
  await expect.poll(titles).toEqual(['hint', 'loud']);
  await widget.locator('.crm-shoutout .crm-close').click();
  await expect.poll(titles).toEqual(['hint', 'louder']);
  await widget.locator('.crm-hint .crm-read-more').click();
  expect(await widget.locator('.crm-heading').textContent()).toBe(message.Title);
  await page.keyboard.press('Escape');
  // The other hint disappeared when the inbox opened.
  await expect.poll(titles).toEqual(['louder']);
  const expected = ['close 1', 'follow 2', 'close 3', 'open 5', 'hide 6', 'closeInbox'];
  await expect.poll(calls).toEqual(expected);
});

test('a hint disappears automatically, but not under the pointer', async (context) => {
  const { page, widget, set, calls } = await uiPage(browser, context, {
    reducedMotion: 'no-preference',
    rules: '* { animation: none !important }',
  });
  await page.clock.install();
  await set({ arrivals: [asEvent('inbox', 5, { DisplayType: 'push' })] });
  const hint = widget.locator('.crm-hint');
  await hint.hover();
  await page.clock.runFor(60_000);
  expect(await hint.isVisible()).toBe(true);
  await page.mouse.move(5, 5);
  await page.clock.runFor(8_000);
  expect(await hint.isVisible()).toBe(true);
  await page.clock.runFor(1_000);
  expect(await hint.count()).toBe(0);
  expect(await calls()).toEqual(['hide 5']);
});

test('the badge shows the count, is hidden at zero, may be replaced later, and is reset when the widget is removed', async (context) => {
  const { page, set, unmount } = await uiPage(browser, context, {
    body: '<span id="badge"></span>',
    rules: '#badge { display: flex }',
  });
  const badge = page.locator('#badge');
  const shown = async () => [await badge.isVisible(), await badge.textContent(), await badge.getAttribute('hidden')];
  expect(await shown()).toEqual([false, '0', '']);
  await set({ unread: 3 });
  expect(await shown()).toEqual([true, '3', null]);
  await set({ unread: 1000 });
  expect(await shown()).toEqual([true, '999+', null]);
  await page.evaluate(() => {
    const { document } = globalThis as unknown as InPage;
    document.getElementById('badge')?.remove();
    const later = document.createElement('b');
    later.id = 'badge';
    later.style.display = 'inline-flex';
    document.body.append(later);
  });
  await page.evaluate(() => (globalThis as unknown as InPage).document.getElementById('crm-widget')?.remove());
  await set({ problem: 'load_failed' });
  expect(await page.locator('#crm-widget .crm-problem').isVisible()).toBe(true);
  await page.waitForFunction(
    () => (globalThis as unknown as InPage).document.getElementById('badge')?.textContent === '999+',
  );
  expect(await badge.getAttribute('style')).toBe('display: inline-flex;');
  await unmount();
  expect(await shown()).toEqual([false, '0', '']);
  expect(await page.locator('#crm-widget').count()).toBe(0);
});

test("of two hundred messages, only the changed one is drawn again; the page's own element is kept", async (context) => {
  const { page, widget, set, unmount } = await uiPage(browser, context, {
    body: '<div id="crm-widget" class="own"></div><div style="height: 3000px"></div>',
    state: { inbox: messages(200), inboxOpen: true },
  });
  await keepPicture(page, 'two-hundred');
  expect(await widget.locator('.crm-entry').count()).toBe(200);
  /** Counts the changes on the page after a change of the store, and the picture addresses that are checked for it. */
  const changes = (read: number) =>
    page.evaluate((read) => {
      const page = globalThis as unknown as InPage;
      const { store, document, MutationObserver, URL } = page;
      let addresses = 0;
      page.URL = class extends URL {
        constructor(...parts: [string, string]) {
          super(...parts);
          addresses++;
        }
      };
      const observer = new MutationObserver(() => {});
      observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      store.set({ inbox: store.get().inbox.map((one) => ({ ...one, IsRead: one.IsRead || one.MessageId === read })) });
      page.URL = URL;
      return { records: observer.takeRecords().length, addresses };
    }, read);
  expect(await changes(0)).toEqual({ records: 0, addresses: 0 });
  // The changes are the class of its entry, and the dot that is removed.
  expect(await changes(199)).toEqual({ records: 2, addresses: 1 });
  await set({ inbox: messages(200).slice(0, 3) });
  expect(await widget.locator('.crm-entry').count()).toBe(3);
  await unmount();
  expect(await page.locator('#crm-widget').getAttribute('class')).toBe('own');
  expect(await page.evaluate(() => (globalThis as unknown as InPage).document.adoptedStyleSheets.length)).toBe(1);
});

interface Styled {
  style: { overflow: string; color: string };
  className: string;
}
interface Element {
  tagName: string;
  setAttribute(name: string, value: string): void;
}
interface Anchor {
  href: string;
}
interface InPage {
  MutationObserver: new (
    callback: () => void,
  ) => { observe(node: unknown, what: object): void; takeRecords(): unknown[] };
  URL: new (...parts: [string, string]) => object;
  store: { get(): { inbox: Message[] }; set(part: { inbox: Message[] }): void };
  document: {
    adoptedStyleSheets: unknown[];
    body: { append(element: unknown): void };
    createElement(tag: string): { id: string; style: { display: string } };
    getElementById(id: string): { remove(): void; textContent: string } | null;
  };
}

test('a removed element stays until its animation has ended, cannot be pressed meanwhile, and keeps nothing open', async (context) => {
  const { page, widget, set } = await uiPage(browser, context, {
    reducedMotion: 'no-preference',
    state: { arrivals: [{ ...message, Event: 'message' }] },
  });
  await widget.locator('.crm-modal[open]').waitFor();
  await set({ arrivals: [], inbox: messages(3), inboxOpen: true, unread: 3 });
  // A second drawing during the animation moves nothing.
  await set({ unread: 2 });
  await widget.locator('.crm-leaving').waitFor({ state: 'detached' });
  expect(await page.locator('.crm-modal').count()).toBe(0);
  await widget.locator('.crm-inbox[open]').waitFor();
  await set({ inbox: messages(3).slice(1) });
  await expect.poll(() => widget.locator('.crm-entry').count()).toBe(2);
  await set({ inboxOpen: false });
  await widget.locator('.crm-inbox').waitFor({ state: 'hidden' });
});

test('a second button without a link closes the message and does not count as a click', async (context) => {
  const dismissable = { ...message, Event: 'message' as const, CTAButton2Text: 'No, thanks', CTAButton2Link: '' };
  const { page, calls } = await uiPage(browser, context, { state: { arrivals: [dismissable] } });
  await page.getByRole('button', { name: 'No, thanks' }).click();
  expect(await calls()).toEqual(['close 1']);
});

test("a page without a font gets the system's; one with a font keeps its own", async (context) => {
  const family = async (rules: string) => {
    const { style } = await uiPage(browser, context, { rules, state: { inbox: messages(1), inboxOpen: true } });
    return style('.crm-title', 'font-family');
  };
  expect(await family('body { font-family: initial }')).toBe('system-ui, sans-serif');
  expect(await family('')).toContain('Segoe UI');
  expect(await family('body { font-family: initial } #crm-widget { font-family: Georgia }')).toBe('Georgia');
});

test('one button marks all as read; rows with and without a picture are aligned', async (context) => {
  const [first, second] = messages(2);
  const inbox = [first, { ...second, ImageUrl: '' }] as Message[];
  const { page, widget, calls } = await uiPage(browser, context, { state: { inbox, unread: 2, inboxOpen: true } });
  const lefts = await Promise.all(
    (await widget.locator('.crm-entry-title').all()).map(async (title) => (await title.boundingBox())?.x),
  );
  expect(lefts[0]).toBeGreaterThan(0);
  expect(lefts[1]).toBe(lefts[0]);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  expect(await widget.locator('.crm-entry-unread').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0);
  expect(await calls()).toEqual(['readAll']);
});
