import { test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { inbox, loaded, type setupSite } from './site.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Tests the widget on a phone, with the keyboard alone, and with the accessibility checks of axe. */
export function peopleTests({ pages, player, send, open }: Awaited<ReturnType<typeof setupSite>>) {
  const offer = () => ({
    event: 'inbox',
    title: 'Ten free spins on Lucky Lanterns',
    message: '<p>Good evening. <strong>Ten free spins</strong> are waiting for you.</p>',
    preview_text: 'They are waiting for you, no deposit needed.',
    footer_text: '<small>18+. <a href="/terms">Terms apply.</a></small>',
    cta_button_text: 'Play now',
    cta_button_link: '/games/lucky-lanterns',
    image_url: pages.picture,
    expires: '2036-03-09 14:00:00',
  });

  test('on a phone, the inbox fills the screen and nothing is cut off', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, { ...offer(), title: `Donaudampfschifffahrtsgesellschaftskapitän ${'wonderful '.repeat(12)}` });
    const page = await open(context, { crm: inbox({ contactEmail: 'help@casino.test' }), player: who }, phone);
    await page.locator('#bell').tap();
    const panel = page.locator('.crm-inbox[open]');
    await panel.getByRole('button', { name: 'Read more' }).waitFor();
    expect(await panel.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    await panel.getByRole('button', { name: 'Read more' }).tap();
    await panel.getByRole('link', { name: 'Play now' }).waitFor();
    const overflow = `document.documentElement.scrollWidth - innerWidth`;
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    for (const control of await panel.getByRole('button').all())
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test('with the keyboard alone: open, read, delete, close, and return to the previous focus', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, offer());
    const page = await open(context, { crm: inbox(), player: who });
    await page.locator('#badge', { hasText: '1' }).waitFor();
    const focused = () =>
      page.evaluate('document.activeElement.textContent.trim() || document.activeElement.ariaLabel');
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 12 && (await focused()) !== name; presses++) await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await tabTo('Inbox 1');
    await page.keyboard.press('Enter');
    await page.locator('.crm-inbox[open]').waitFor();
    await tabTo('Read more');
    await page.keyboard.press('Enter');
    await page.locator('.crm-detail').waitFor();
    await tabTo('Back');
    await page.keyboard.press('Enter');
    await tabTo('Delete');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Undo');
    await page.keyboard.press('Escape');
    await page.locator('.crm-inbox[open]').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.id')).toBe('bell');
    await page.keyboard.press('Enter');
    await page.getByText('There is currently no messages in your inbox').waitFor();
  });

  test('axe finds nothing: list, deleted entry, message, question, banners, modal', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, offer());
    const crm = inbox({ contactEmail: 'help@casino.test', navBarLogo: pages.picture });
    const page = await open(context, { crm, player: who });
    await loaded(page);
    const looks = async (name: string) => expect([name, await accessibilityProblems(page)]).toEqual([name, []]);
    await page.locator('#bell').click();
    await page.locator('.crm-inbox[open]').waitFor();
    await looks('list');
    await page.getByRole('button', { name: 'Delete' }).click();
    await looks('deleted entry');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Read more' }).click();
    await looks('message');
    await page.getByRole('button', { name: 'Delete' }).click();
    await looks('question');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Escape');
    await page.evaluate(
      "Crm.demoMessage({ Event: 'shoutout', Title: 'A banner', CTAButtonText: 'Go', FooterText: 'Terms' })",
    );
    await page.evaluate("Crm.demoMessage({ Event: 'inbox', Title: 'A hint', PreviewText: 'About it' })");
    await page.locator('.crm-shoutout').waitFor();
    await looks('banners');
    await page.evaluate(
      `Crm.demoMessage({ Event: 'message', Title: 'A modal', ImageUrl: '${pages.picture}', CTAButtonText: 'Go' })`,
    );
    await page.locator('.crm-modal[open]').waitFor();
    await looks('modal');
  });
}
