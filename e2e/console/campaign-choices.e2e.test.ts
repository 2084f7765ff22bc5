import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { callApi, complaintsOf, createCampaign, deposit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/* What people choose in a campaign: segments and tags from fields that search on the platform, and the player who enters. */
const { installation, browser } = await setupConsole();

const open = (page: Page, place: string) => page.goto(`${installation.url}/console/demo/${place}`);

test('a search finds a segment beyond the first page, and the name of the chosen segment is still shown after a reload', async (context) => {
  const names = Array.from({ length: 100 }, (_, n) => `Zone ${String(n + 1).padStart(3, '0')}`);
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
  for (const name of names)
    await callApi(installation, 'POST', '/brands/demo/segments', {
      code: name.toLowerCase().replace(' ', '_'),
      name,
      rule,
    });
  await createCampaign(installation, 'zoned', [{ id: 'mark', tag: 'seen' }], { segment: 'zone_099', on: 'entered' });
  const page = await browser.page(context, { locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  const reads: URLSearchParams[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/brands/demo/segments')) reads.push(searchParams);
  });
  await open(page, 'campaigns/zoned');
  const entry = page.locator('[data-canvas="entry"]');
  await entry.getByText('Zone 099').waitFor();
  await entry.click();
  const chosen = page.getByRole('combobox', { name: 'Segment' });
  await expect.poll(() => chosen.inputValue()).toBe('Zone 099');

  // The first page, with the chosen segment at its top.
  await chosen.click();
  await page.getByText('First 50. Type to search.').waitFor();
  const options = page.getByRole('option');
  expect(await options.first().textContent()).toBe('Zone 099zone_099');
  expect(await options.count()).toBe(51);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);

  // A failed search is repeated with the keyboard.
  const problem = { code: 'too_many_requests', title: 'Too many requests', detail: 'Slow down.' };
  const search = /\/segments\?.*name=/;
  await page.route(search, (route) => route.fulfill({ status: 429, json: problem }));
  await chosen.fill('zone 10');
  await page.getByRole('option', { name: 'Slow down. Try again' }).waitFor();
  await page.unroute(search);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Zone 100' }).waitFor();
  await chosen.fill('nowhere');
  await page.getByText('Nothing matches.').waitFor();
  await chosen.fill('zone 10');
  await page.getByRole('option', { name: 'Zone 100' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await entry.getByText('Zone 100').waitFor();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Draft saved.').waitFor();

  await page.reload();
  await entry.getByText('Zone 100').waitFor();
  await entry.click();
  await expect.poll(() => chosen.inputValue()).toBe('Zone 100');
  // No call reads more than one page.
  expect(reads.filter((query) => query.get('limit') !== '50' && !query.has('codes')).map(String)).toEqual([]);
  expect(reads.filter((query) => query.has('cursor'))).toEqual([]);
  // The browser reports the refused search.
  expect(complaints.filter((one) => !one.includes('429'))).toEqual([]);
});

test('the field of a tag searches on the server, shows a tag beyond the first page, and takes a new one', async (context) => {
  await deposit(installation, 'tagged-1');
  const known = () => callApi(installation, 'GET', '/brands/demo/players/tagged-1');
  await expect.poll(known, { timeout: 20_000 }).toMatchObject({ user_id: 'tagged-1' });
  for (let n = 10; n < 70; n++)
    await callApi(installation, 'POST', '/brands/demo/tags', { user_id: 'tagged-1', tag: `tier_${n}`, action: 'add' });
  await createCampaign(installation, 'tagging', [{ id: 'mark', tag: 'tier_68' }]);
  const page = await browser.page(context, { locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('/brands/demo/tags')) reads.push(search);
  });
  await open(page, 'campaigns/tagging');
  await page.locator('[data-canvas="step mark"]').click();
  const tag = page.getByRole('combobox', { name: 'Tag', exact: true });
  await expect.poll(() => tag.inputValue()).toBe('tier_68');
  await tag.fill('R_69');
  await page.getByRole('option', { name: 'tier_69' }).click();
  await expect.poll(() => tag.inputValue()).toBe('tier_69');
  await tag.fill('brand-new');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Draft saved.').waitFor();
  const saved = await callApi<{ document: unknown }>(installation, 'GET', '/brands/demo/campaigns/tagging');
  expect(saved.document).toMatchObject({ steps: [{ id: 'mark', tag: 'brand-new' }] });
  expect(reads).toContain('?limit=50&name=R_69');
  expect(reads.filter((query) => !query.startsWith('?limit=50'))).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a person enters one player into a live campaign that is entered by calls; an unknown player is refused', async (context) => {
  await createCampaign(installation, 'by_hand', [{ id: 'rest', wait: { for: 'P30D' } }]);
  await deposit(installation, 'hand-1');
  await vi.waitFor(() => callApi(installation, 'GET', '/brands/demo/players/hand-1'), { timeout: 20_000 });
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await open(page, 'campaigns/by_hand');
  await page.getByRole('heading', { level: 2, name: 'by_hand' }).waitFor();
  expect(await page.getByRole('button', { name: 'Enter a player' }).count()).toBe(0);
  await callApi(installation, 'POST', '/brands/demo/campaigns/by_hand/publish', {});
  await page.getByRole('button', { name: 'Enter a player' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enter a player' });
  await dialog.getByText('You cannot undo this.').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByLabel('Player id').fill('nobody-1');
  await dialog.getByRole('button', { name: 'Enter the player' }).click();
  await dialog.getByRole('alert').getByText('nobody-1').waitFor();
  await dialog.getByLabel('Player id').fill('hand-1');
  await dialog.getByRole('button', { name: 'Enter the player' }).click();
  await dialog.getByRole('button', { name: 'Show the runs' }).click();
  await page.getByRole('row', { name: /hand-1.*waiting/ }).waitFor();
  await visit(page, installation, 'settings/audit');
  await page.getByRole('row', { name: /added a player to a campaign.*by_hand/ }).waitFor();
});
