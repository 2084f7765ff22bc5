import { expect, test } from 'vitest';
import { accessibilityProblems } from '../site/accessibility.ts';
import { complaintsOf, deposit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * Lists on a phone. A row has a title and a few facts, and shows the rest when it is opened.
 */
const { installation, browser } = await setupConsole();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test.for(['light', 'dark'] as const)(
  'rows are compact and can be opened by touch and by keyboard, %s',
  async (colorScheme, context) => {
    const page = await browser.page(context, { ...phone, colorScheme });
    const complaints = complaintsOf(page);
    await signIn(page, installation);
    await visit(page, installation, 'messages/templates');
    const rows = page.locator('.list-row');
    const tallest = () => rows.evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().height)));
    expect(await tallest()).toBeLessThanOrEqual(84);
    const row = rows.filter({ has: page.getByRole('link', { name: 'Birthday', exact: true }) });
    expect(await row.textContent()).toContain('Site message');
    expect(await row.getByText('Version').count()).toBe(0);
    const details = row.getByRole('button', { name: 'Details' });
    expect(await details.getAttribute('aria-expanded')).toBe('false');
    await details.tap();
    await expect.poll(() => row.locator('[data-label=Version]').textContent()).toMatch(/^\d+$/);
    expect(await accessibilityProblems(page)).toEqual([]);
    // A tap on the row closes it, and the keyboard opens it again.
    await row.locator('[data-label=Version]').tap();
    await expect.poll(() => row.locator('[data-label=Version]').count()).toBe(0);
    await details.focus();
    await page.keyboard.press('Enter');
    await row.locator('[data-label=Version]').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
  },
);

test('the opened row is in the address, and an empty fact takes no space', async (context) => {
  const page = await browser.page(context, phone);
  await signIn(page, installation);
  await deposit(installation, 'phone-1');
  await visit(page, installation, 'integration/inspector');
  const row = page.locator('.list-row').first();
  await row.getByRole('button', { name: 'Details' }).tap();
  await row.locator('[data-part=rest]').first().waitFor();
  expect(new URL(page.url()).searchParams.get('row')).not.toBeNull();
  await page.reload();
  await row.locator('[data-part=rest]').first().waitFor();
  expect(await page.locator('td[data-part=fact]').filter({ hasText: /^–$/ }).count()).toBe(0);
  // In a desktop window, the same list is a table again.
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect.poll(() => page.locator('td[data-part=rest]').count()).toBe(0);
});

test('the buttons of a condition are inside the window', async (context) => {
  const page = await browser.page(context, phone);
  await signIn(page, installation);
  await visit(page, installation, 'segments/slipping_away?tab=rule');
  const remove = page.getByRole('button', { name: 'Remove' });
  await remove.first().waitFor();
  for (const { x, width } of await remove.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON())))
    expect(x + width).toBeLessThanOrEqual(390);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('the timeline shows a cause only at entries that have one', async (context) => {
  const page = await browser.page(context, phone);
  await signIn(page, installation);
  await deposit(installation, 'phone-2');
  await visit(page, installation, 'players/phone-2');
  await page.locator('.list-row').first().waitFor();
  expect(await page.locator('td[data-label="Caused by"]').filter({ hasText: /^$/ }).count()).toBe(0);
});
