import { expect, test } from 'vitest';
import { setupBrowser } from '../../../platform/testing/browser/browser.ts';
import { axeFinds, keepPicture, message, messages, uiPage } from './ui-page.ts';

/**
 * Checks the appearance, and that no WCAG rule is violated: in each scheme, direction and size, and with little space.
 */
const browser = await setupBrowser();

const desktop = { width: 1280, height: 800 };
const arabic = {
  html: 'lang="ar" dir="rtl"',
  texts: {
    inboxTitle: 'الرسائل',
    unread: 'غير مقروءة',
    recieved: 'تاريخ الاستلام:',
    validUntil: 'صالح حتى:',
    readMore: 'اقرأ المزيد',
    questionsTop: 'أسئلة؟ راسلنا على',
    questionsShort: 'أسئلة:',
    deleteMessagePrompt: 'هل تريد حقًا حذف هذه الرسالة؟',
    delete: 'حذف',
    deleted: 'تم الحذف:',
    today: 'اليوم',
    yesterday: 'أمس',
    earlier: 'سابقًا',
    loadMore: 'عرض الرسائل الأقدم',
    close: 'إغلاق',
    back: 'رجوع',
    previous: 'الرسالة السابقة',
    next: 'الرسالة التالية',
    unreadOnly: 'غير المقروءة فقط',
    undo: 'تراجع',
    cancel: 'إلغاء',
  },
};
const arabicMessage = {
  Title: 'عشر لفات مجانية',
  PreviewText: 'في انتظارك، دون إيداع، حتى يوم الأحد.',
  Message: '<p>مساء الخير. <b>عشر لفات مجانية</b> في انتظارك.</p>',
  FooterText: '<small>للبالغين فقط. تطبق الشروط.</small>',
  CTAButtonText: 'العب الآن',
  CTAButton2Text: 'كل العروض',
};
/** Each combination lists the views that axe checks in it. A check takes a third of a second. */
const looks = [
  { name: 'desktop', axe: ['inbox', 'removed', 'prompt', 'detail', 'banners', 'modal'], viewport: desktop },
  { name: 'dark', axe: ['inbox', 'removed', 'banners'], viewport: desktop, colorScheme: 'dark' },
  { name: 'phone', axe: ['inbox', 'detail'], viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 },
  { name: 'rtl', axe: ['detail'], viewport: desktop, ...arabic, part: arabicMessage },
] as const;

test.for(looks)(
  'inbox, deleted entry, message, question, modal and banners: $name',
  async ({ name, axe, ...options }, context) => {
    const part = 'part' in options ? options.part : {};
    const { page, widget, set, complaints } = await uiPage(browser, context, {
      ...options,
      state: { inbox: messages(7, part), unread: 5, inboxOpen: true, hasMore: true },
    });
    const seen = async (what: string) => {
      await keepPicture(page, `${name}-${what}`);
      if ((axe as readonly string[]).includes(what)) expect(await axeFinds(page), `${what} ${name}`).toEqual([]);
    };
    await seen('inbox');
    await widget.locator('.crm-entry .crm-delete').first().click();
    await seen('removed');
    await widget.locator('.crm-read-more').first().click();
    await seen('detail');
    await widget.locator('.crm-header .crm-delete').click();
    await seen('prompt');
    await page.keyboard.press('Escape');
    await set({ inbox: [], openId: null, unread: 0, problem: 'delete_failed', phase: 'offline', hasMore: false });
    await seen('empty');
    const shoutout = {
      ...message,
      MessageId: 2,
      Event: 'shoutout' as const,
      Title: 'Friday jackpot',
      Message: 'The jackpot stands at <b>€1,204,311</b>.',
      FooterText: '',
      CTAButton2Text: '',
      ...part,
    };
    const hint = { ...message, ...part, DisplayType: 'push' as const };
    await set({ inboxOpen: false, problem: 'load_failed', arrivals: [shoutout, hint] });
    await seen('banners');
    await set({ problem: null, arrivals: [{ ...message, ...part, Event: 'message' }] });
    await seen('modal');
    expect(complaints).toEqual([]);
  },
);

test('with little space, long words and 200 % zoom, everything is reachable', async (context) => {
  const long = {
    ...message,
    Title: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    Message: `<h2>Rules</h2><table width="900"><tr><td>wide</td></tr></table><img src="/img/wide.svg" width="1200">${'<p>One more paragraph of the rules of this offer.</p>'.repeat(20)}`,
    CTAButtonText: 'Take me to the longest promotion there ever was',
  };
  const { page, widget, set } = await uiPage(browser, context, {
    viewport: { width: 320, height: 480 },
    state: { arrivals: [{ ...long, Event: 'message' }] },
  });
  const inside = async (selector: string) => {
    const box = await widget.locator(selector).first().boundingBox();
    expect(box, selector).not.toBeNull();
    expect(box && box.x >= 0 && box.x + box.width <= 320 && box.y >= 0 && box.y + box.height <= 480, selector).toBe(
      true,
    );
  };
  await keepPicture(page, 'small-modal');
  await inside('.crm-modal .crm-close');
  await widget.locator('.crm-modal .crm-cta').first().scrollIntoViewIfNeeded();
  await inside('.crm-modal .crm-cta');
  await set({ arrivals: [{ ...long, Event: 'shoutout' }] });
  await keepPicture(page, 'small-banner');
  await inside('.crm-shoutout');
  await widget.locator('.crm-shoutout .crm-cta').first().scrollIntoViewIfNeeded();
  await inside('.crm-shoutout .crm-close');
  await set({ arrivals: [], inbox: [{ ...long, MessageId: 3 }], inboxOpen: true, unread: 1000 });
  await keepPicture(page, 'small-inbox');
  // Beside the filter, the address would have four lines.
  expect((await widget.locator('.crm-questions').first().boundingBox())?.height).toBeLessThan(70);
  await inside('.crm-close');
  await inside('.crm-entry .crm-delete');
  await set({ openId: 3 });
  await keepPicture(page, 'small-detail');
  await inside('.crm-back');
  expect((await widget.locator('.crm-detail .crm-image').boundingBox())?.height).toBeLessThan(150);
  await inside('.crm-close');
  await widget.locator('.crm-detail .crm-cta').first().scrollIntoViewIfNeeded();
  await inside('.crm-detail .crm-cta');
  const wide = await widget.locator('.crm-scroll').evaluate((element: unknown) => {
    const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
    return scrollWidth - clientWidth;
  });
  expect(wide).toBe(0);
});

test('the header of a narrow panel keeps its text complete beside a wide logo', async (context) => {
  const { page, widget } = await uiPage(browser, context, {
    viewport: { width: 280, height: 480 },
    inbox: { navBarLogo: '/img/wide.svg' },
    rules: '#crm-widget .crm-logo { width: 120px }',
    state: { inbox: messages(2), inboxOpen: true, unread: 1000 },
  });
  await keepPicture(page, 'narrow-header');
  expect((await widget.locator('.crm-unread').boundingBox())?.height).toBeLessThan(25);
  const close = await widget.locator('.crm-header .crm-close').boundingBox();
  expect((close?.x ?? 280) + (close?.width ?? 0)).toBeLessThanOrEqual(280);
});

test('on a right-to-left page, the unread mark of an English message is at the right; a blur of the page reaches no dialog; the button of a banner fills it', async (context) => {
  const { page, widget, set } = await uiPage(browser, context, {
    viewport: desktop,
    html: arabic.html,
    rules: 'dialog::backdrop { backdrop-filter: blur(3px) }',
    state: { inbox: messages(1), unread: 1, inboxOpen: true },
  });
  const left = async (selector: string) => (await widget.locator(selector).first().boundingBox())?.x ?? Number.NaN;
  expect(await left('.crm-dot')).toBeGreaterThan(await left('.crm-thumb'));
  const backdrop = "getComputedStyle(document.querySelector('.crm-inbox'), '::backdrop')";
  expect(await page.evaluate(`${backdrop}.backdropFilter`)).toBe('none');
  // On a desktop, the page beside the list is only a little darker.
  expect(await page.evaluate(`${backdrop}.backgroundColor`)).toBe('rgba(0, 0, 0, 0.2)');
  await set({ inboxOpen: false, arrivals: [{ ...message, Event: 'shoutout', ImageUrl: '', CTAButton2Text: '' }] });
  const [banner, button] = await Promise.all(
    ['.crm-shoutout', '.crm-shoutout .crm-cta'].map((selector) => widget.locator(selector).boundingBox()),
  );
  // 16 px of padding and 1 px of border on each side.
  expect((banner?.width ?? 0) - (button?.width ?? 0)).toBe(34);
});

test('in a browser without `overlay`, the closing inbox stays at its edge, although it has left the top layer', async (context) => {
  const { page, widget, set, style } = await uiPage(browser, context, {
    viewport: desktop,
    reducedMotion: 'no-preference',
    // The transition of the widget without `overlay`, slow enough to measure during it.
    rules: '#crm-widget .crm-inbox:not([open]) { transition: transform 60s linear, display 60s allow-discrete }',
    state: { inbox: messages(1), inboxOpen: true },
  });
  const panel = widget.locator('.crm-inbox');
  const atEdge = { x: desktop.width - 440, y: 0, width: 440, height: desktop.height };
  await expect.poll(() => panel.boundingBox()).toEqual(atEdge);
  await set({ inboxOpen: false });
  await expect.poll(() => style('.crm-inbox', 'overlay')).toBe('none');
  // While the panel moves, its width is a fraction of a pixel off.
  const { x, y, width, height } = (await panel.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  expect({ y, width: Math.round(width), height }).toEqual({ y: 0, width: 440, height: desktop.height });
  expect(x).toBeGreaterThanOrEqual(atEdge.x);
  expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(desktop.width);
});

test('a page that wants the serif font sets --crm-font', async (context) => {
  const rules = 'body { font-family: serif } #crm-widget { --crm-font: Georgia, serif }';
  const { style } = await uiPage(browser, context, { rules, state: { inbox: messages(1), inboxOpen: true } });
  expect(await style('.crm-title', 'font-family')).toBe('Georgia, serif');
});

test('with a mouse, only the entry under the pointer or with the focus shows its delete button; a touch screen shows all', async (context) => {
  const state = { inbox: messages(2), inboxOpen: true };
  const { page, widget, style } = await uiPage(browser, context, { viewport: desktop, state });
  const opacities = (of: typeof style) =>
    Promise.all([1, 2].map((row) => of(`.crm-entry:nth-child(${row}) .crm-delete`, 'opacity')));
  await page.mouse.move(10, 10);
  expect(await opacities(style)).toEqual(['0', '0']);
  await widget.locator('.crm-entry').nth(1).hover();
  expect(await opacities(style)).toEqual(['0', '1']);
  await widget.locator('.crm-read-more').first().focus();
  expect(await opacities(style)).toEqual(['1', '1']);

  const phone = await uiPage(browser, context, {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
    state,
  });
  expect(await opacities(phone.style)).toEqual(['1', '1']);
});

test('messages are in groups by day; an entry of the list has three lines', async (context) => {
  const at = (hoursAgo: number) => new Date(Date.parse('2026-03-02T10:00:00Z') - hoursAgo * 3_600_000);
  const sent = [1, 9, 20, 34, 35, 900].map((hoursAgo, index) => ({
    ...message,
    MessageId: 100 - index,
    Date: at(hoursAgo).toISOString().slice(0, 19).replace('T', ' '),
  }));
  const { page, widget, set } = await uiPage(browser, context, { viewport: desktop, html: 'lang="en"' });
  await page.clock.setFixedTime(at(0));
  await set({ inbox: sent, inboxOpen: true });
  await keepPicture(page, 'days');
  const days = widget.locator('.crm-day');
  expect(await days.allTextContents()).toEqual(['Today', 'Yesterday', 'Earlier']);
  const rowsOf = (name: string) => page.getByRole('list', { name }).getByRole('listitem').count();
  // In Malta, it is 11:00. 34 hours ago, it was 01:00 of the day before.
  expect([await rowsOf('Today'), await rowsOf('Yesterday'), await rowsOf('Earlier')]).toEqual([2, 3, 1]);
  expect(await widget.locator('.crm-date').nth(3).textContent()).toBe('Recieved: yesterday');
  // The exact time is shown on hover.
  expect(await widget.locator('.crm-date time').nth(3).getAttribute('title')).toMatch(/^Mar 1, 2026, 1:00\sAM GMT\+1$/);
  expect((await widget.locator('.crm-entry').first().boundingBox())?.height).toBeLessThan(100);
  expect(await axeFinds(page)).toEqual([]);
  // A group without messages has no heading.
  await set({ inbox: sent.slice(-1) });
  expect(await days.allTextContents()).toEqual(['Earlier']);
});

test('the empty list is one group with a bold first line, and each line has the direction of its language', async (context) => {
  const { widget, style } = await uiPage(browser, context, {
    viewport: desktop,
    html: arabic.html,
    state: { inbox: [], inboxOpen: true, phase: 'ready' },
  });
  const lines = widget.locator('.crm-empty p');
  const [first, second] = await Promise.all([lines.nth(0).boundingBox(), lines.nth(1).boundingBox()]);
  expect((second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0)).toBeLessThan(10);
  for (const line of ['.crm-empty p:nth-of-type(1)', '.crm-empty p:nth-of-type(2)']) {
    expect(await style(line, 'direction')).toBe('ltr');
  }
  expect(await style('.crm-empty p:nth-of-type(1)', 'font-weight')).toBe('700');
  expect(await style('.crm-empty p:nth-of-type(2)', 'font-weight')).toBe('400');
});

test('on a phone, two buttons with usual words have one line each', async (context) => {
  const { widget } = await uiPage(browser, context, {
    viewport: { width: 390, height: 780 },
    state: { arrivals: [{ ...message, Event: 'message' }] },
  });
  const buttons = await widget.locator('.crm-modal .crm-cta').all();
  expect(buttons).toHaveLength(2);
  for (const button of buttons) expect((await button.boundingBox())?.height).toBeLessThan(50);
});

test.for([320, 360, 390])(
  'on a phone of %i px, the two times of an entry have one line, also in German',
  async (width, context) => {
    const { page, widget, set } = await uiPage(browser, context, {
      viewport: { width, height: 640 },
      html: 'lang="de"',
      texts: { recieved: 'Erhalten:', validUntil: 'Gültig bis:' },
      state: { inboxOpen: true, inbox: messages(6) },
    });
    const dates = ['2026-03-02 09:12:00', '2026-02-27 09:12:00', '2025-11-28 09:12:00'];
    await page.clock.setFixedTime('2026-03-02T10:00:00Z');
    await set({
      inbox: messages(6).map((one, index) => ({
        ...one,
        Date: dates[index % 3] ?? '',
        Expires: '2026-03-05 14:00:00',
      })),
    });
    await keepPicture(page, `times-${width}`);
    for (const times of await widget.locator('.crm-times').all()) {
      expect((await times.boundingBox())?.height).toBeLessThan(25);
      const [label, time] = [times.locator('.crm-valid .crm-label'), times.locator('.crm-valid time')];
      expect(
        await label.evaluate((element: unknown) => {
          const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
          return scrollWidth > clientWidth;
        }),
      ).toBe(false);
      const box = await time.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width - 10);
    }
    expect(await axeFinds(page)).toEqual([]);
  },
);
