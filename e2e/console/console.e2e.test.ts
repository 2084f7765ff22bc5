import { beforeAll, expect, test } from 'vitest';
import { accessibilityProblems, accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { axeLoopMs, places } from './places.ts';
import { rawCodesOn } from './raw-codes.ts';
import { callApi, complaintsOf, deposit, expectToFit, firstLogin, loaded, openTab, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/* The console as a person uses it: a new installation, its first account, and a first event, in a real browser. */
const { installation, browser } = await setupConsole();
beforeAll(() => deposit(installation, 'ann-1'));

test('sign in, see what arrives, find the player, and check contactability', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.getByRole('cell', { name: 'payment', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await page.getByPlaceholder('Player id, name, e-mail or phone').fill('ann');
  await page.getByRole('link', { name: 'ann-1' }).click();
  await page.getByRole('heading', { name: 'May we contact this player?' }).waitFor();
  await page.getByText('Deposit of 25 EUR').waitFor();
  await openTab(page, 'Traits');
  await page.getByPlaceholder('Filter traits').fill('deposit_count');
  await page.getByRole('rowheader', { name: 'Deposits', exact: true }).waitFor();
  // The page has its own address, which still works after a reload.
  await page.reload();
  await page.getByRole('heading', { name: 'ann-1' }).waitFor();
  expect(complaints).toEqual([]);
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain('crs_');
});

test('the tabs of a player take one line; a menu at its end, used by keyboard, leads to the others', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);
  await visit(page, installation, 'players/ann-1');
  const tabs = page.getByRole('tab');
  const more = page.getByRole('button', { name: 'More sections' });
  const lines = async () => new Set(await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top)));
  await more.waitFor();
  const fitting = await tabs.count();
  expect((await lines()).size).toBe(1);
  // From the active tab, Tab moves the focus to the menu.
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  expect(await items.count()).toBe(13 - fitting);
  expect(await accessibilityProblems(page)).toEqual([]);
  // From the first item, the arrow key moves to the last one.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Details', selected: true }).waitFor();
  expect(page.url()).toContain('tab=details');
  expect((await lines()).size).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
  await page.setViewportSize({ width: 1920, height: 1000 });
  await expect.poll(() => tabs.count()).toBe(13);
  expect(await more.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Details', selected: true }).waitFor();
  await more.waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('traits with windows are a table with one column per window, which scrolls in its own box on a phone', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);
  await visit(page, installation, 'players/ann-1?tab=traits');
  const payments = page.getByRole('region', { name: 'Payments' });
  const sums = payments.getByRole('row', { name: 'Sum of deposits 25 EUR 25 EUR 25 EUR 25 EUR 25 EUR', exact: true });
  await sums.waitFor();
  const headers = payments.getByRole('table').first().getByRole('columnheader');
  const windows = ['Today', 'Last 24 hours', 'Last 7 days', 'Last 30 days', 'All time'];
  expect(await headers.allTextContents()).toEqual(['Trait', ...windows]);
  expect(await sums.getByRole('cell').nth(2).getAttribute('title')).toBe('deposit_sum_7d');
  await payments.getByRole('rowheader', { name: 'Latest deposit', exact: true }).waitFor();
  // A row without any value is shown only on request.
  const withdrawals = payments.getByRole('rowheader', { name: 'Sum of withdrawals', exact: true });
  expect(await withdrawals.count()).toBe(0);
  await page.getByLabel('Show zero and unknown traits').check();
  await withdrawals.waitFor();
  // The name of one window finds the whole row.
  await page.getByPlaceholder('Filter traits').fill('withdrawal_sum_7d');
  await expect.poll(() => page.getByRole('rowheader').allTextContents()).toEqual(['Sum of withdrawals']);
  await page.getByPlaceholder('Filter traits').fill('');
  await expectToFit(page, 'traits');
  await page.setViewportSize({ width: 390, height: 844 });
  const box = payments.getByRole('group', { name: 'Payments, over time' }).first();
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
});

test('the menu stays where the user scrolls it while the file of a page loads', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 500 } });
  await signIn(page, installation);
  const menu = page.getByRole('navigation');
  const scrolled = () => menu.evaluate((element) => element.scrollTop);
  const file = Promise.withResolvers<void>();
  await page.route(/assets\/history-.*\.js/, async (route) => {
    await file.promise;
    await route.continue();
  });
  await menu.getByRole('button', { name: 'Integration' }).click();
  await menu.getByRole('link', { name: 'History' }).click();
  await page.waitForURL('**/integration/history');
  const atClick = await scrolled();
  expect(atClick).toBeGreaterThan(100);
  await page.mouse.wheel(0, -60);
  await expect.poll(scrolled).toBe(atClick - 60);
  file.resolve();
  await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
  await loaded(page);
  expect(await scrolled()).toBe(atClick - 60);
});

test('an event that arrives is shown without a reload', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/players/ann-1`);
  await page.getByRole('heading', { name: 'May we contact this player?' }).waitFor();
  await deposit(installation, 'ann-2');
  const opened = page.waitForResponse((answer) => answer.url().endsWith('/brands/demo/changes') && answer.ok());
  await page.goto(`${installation.url}/console/demo/players`);
  await page.getByPlaceholder('Player id, name, e-mail or phone').fill('ann-2');
  await page.getByRole('link', { name: 'ann-2' }).click();
  await page.getByText('Deposit of 25 EUR').waitFor();
  // A change before the page's stream is open would be shown up to 30 s later. The next change names the topic of the page.
  await opened;
  const heard = page.evaluate(`new Promise((resolve) => {
    const source = new EventSource('/api/console/v1/brands/demo/changes');
    source.onmessage = ({ data }) => {
      if (!JSON.parse(data).includes('players')) return;
      source.close();
      resolve(true);
    };
  })`);
  await deposit(installation, 'ann-2');
  // The screen does not change until the person asks for the new rows.
  await page.getByRole('button', { name: /^\d+ new$/ }).click();
  await page.getByText('Deposit of 25 EUR').nth(1).waitFor();
  context.expect(await heard).toBe(true);
});

test('the live view shows players and game rounds as they happen, and a round opens into its bets', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.getByRole('tab', { name: 'Game rounds' }).click();
  const bet = async (activity_id: string, type: string, amount: number, is_round_end: boolean) => {
    const answer = await fetch(`${installation.url}/v1/integration/casino`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': installation.key },
      body: JSON.stringify({
        user_id: 'live-1',
        activity_id,
        type,
        amount,
        wager_amount: amount,
        bonus_wager_amount: 0,
        locked_wager_amount: 0,
        currency: 'EUR',
        exchange_rate: 1,
        vendor_id: 'v-1',
        game_id: 'lanterns',
        round_id: 'round-live-1',
        is_round_end,
        origin: 'casino.example',
        timestamp: new Date().toISOString(),
      }),
    });
    expect(answer.status, await answer.text()).toBe(200);
  };
  await bet('1', 'Bet', 2, false);
  const round = page.getByRole('row', { name: /live-1.*lanterns.*open/ });
  await round.waitFor();
  await bet('2', 'Win', 5, true);
  // The row keeps its place and shows the current state.
  await page.getByRole('row', { name: /live-1.*lanterns.*closed.*3 EUR/ }).waitFor();
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page.getByRole('row', { name: /^(?!Round).*win 5 EUR.*in force/ }).waitFor();
  await page.getByRole('tab', { name: 'Players' }).click();
  await page.getByRole('row', { name: /live-1.*Win of 5 EUR/ }).waitFor();
  expect(page.url()).toContain('view=players');
  expect(complaints).toEqual([]);
});

test.for(['no-preference', 'reduce'] as const)(
  'Ctrl+K leads to a segment and changes colors; an expired session leads to the sign-in page and back (motion: %s)',
  async (reducedMotion, context) => {
    const page = await browser.page(context, { reducedMotion });
    await signIn(page, installation);
    const lists: string[] = [];
    page.on('request', (request) => /\/(segments|campaigns)\?/.test(request.url()) && lists.push(request.url()));
    await page.keyboard.press('Control+K');
    // The platform finds a segment by a part of its code, and no call reads all segments or campaigns.
    await page.getByPlaceholder('Search or jump to').fill('gh_roll');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'High rollers' }).waitFor();
    expect(lists.map((url) => new URL(url).search)).toEqual(['?name=gh_roll&limit=6', '?name=gh_roll&limit=6']);
    await page.keyboard.press('Control+K');
    await page.getByPlaceholder('Search or jump to').fill('dark colors');
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    const there = page.url();
    await page.context().clearCookies();
    // When a person returns to the tab, the page reloads data that is older than a second.
    const asksToSignIn = async () => {
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      return page.getByRole('heading', { name: 'Sign in to Croupier' }).isVisible();
    };
    await expect.poll(asksToSignIn).toBe(true);
    const { email, password } = firstLogin(installation);
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'High rollers' }).waitFor();
    expect(page.url()).toBe(there);
  },
);

test('Ctrl+K opens the palette while it closes and from an input field, and Enter does not wait for the results', async (context) => {
  // The palette only fades with animations.
  const page = await browser.page(context, { reducedMotion: 'no-preference' });
  await signIn(page, installation);
  const search = page.getByPlaceholder('Search or jump to');
  await page.keyboard.press('Control+K');
  await search.fill('Segments');
  // After Enter, the palette fades for 200 ms. Meanwhile, the focus stays in its input field.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+K');
  await page.keyboard.type('Campaigns');
  expect(await search.inputValue()).toBe('Campaigns');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await page.getByPlaceholder('Player id, name, e-mail or phone').press('Control+K');
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    void page.route('**/players/find', async (route) => {
      const { search: asked } = route.request().postDataJSON() as { search?: string };
      if (asked !== 'ann-1') return route.continue();
      const isAnswered = new Promise<void>((release) => {
        answer = release;
      });
      resolve();
      await isAnswered;
      await route.continue();
    });
  });
  await search.fill('ann-1');
  await isAsked;
  await page.keyboard.press('Enter');
  answer();
  await page.getByRole('heading', { name: 'ann-1' }).waitFor();
});

test('a page that was open during an upgrade reloads itself once and says so', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  const loads: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && loads.push(new URL(request.url()).pathname));
  /** An upgrade replaces the assets. Pages that were loaded before it still need the former ones, which are answered with 404. */
  const upgrade = (former: RegExp, loadsBefore: number) =>
    page.route(former, (route) =>
      loads.length > loadsBefore ? route.continue() : route.fulfill({ status: 404, contentType: 'application/json' }),
    );
  await upgrade(/assets\/segments-.*\.js/, 0);
  const failed = page.waitForResponse((answer) => answer.status() === 404);
  await page.getByRole('link', { name: 'Segments', exact: true }).hover();
  await failed;
  expect(loads).toEqual([]);
  await page.getByRole('link', { name: 'Segments', exact: true }).click();
  await page.getByText('Croupier was upgraded, so this page was reloaded.').waitFor();
  await page.getByRole('link', { name: 'High rollers' }).waitFor();
  expect(loads).toEqual(['/console/demo/segments']);
  // If the reload does not help, the page does not reload again, but offers a button for it.
  await upgrade(/assets\/players-.*\.js/, 1);
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByPlaceholder('Player id, name, e-mail or phone').waitFor();
  expect(loads).toEqual(['/console/demo/segments', '/console/demo/players']);
});

test.for(['en-US', 'de-DE'])('six or seven filters are on one line of a small desktop, %s', async (locale, context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 }, locale });
  await signIn(page, installation);
  const filters = page.locator('.filters > :not([type=hidden])');
  const lines = async () =>
    new Set(await filters.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom)));
  const expectOneLine = async (place: string, count: number) => {
    await visit(page, installation, place);
    await expect.poll(() => filters.count()).toBe(count);
    expect((await lines()).size, place).toBe(1);
  };
  await expectOneLine('live', 6);
  await expectOneLine('compliance/decisions', 7);
  await expectOneLine('messages/sent', 7);
  await expectOneLine('settings/audit', 6);
  // With a choice, the bar has a button that clears the filters.
  await expectOneLine('live?kind=lottery_purchase&verdict=applied', 7);
});

test('segments and templates show the names of the campaigns that use them', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'segments');
  const user = page
    .getByRole('row', { name: /^Slipping away / })
    .getByRole('link')
    .last();
  await expect.poll(() => user.textContent()).toBe('Reactivation with control group and two variants');
  expect(await user.getAttribute('href')).toBe('/console/demo/campaigns/reactivation');
  await visit(page, installation, 'messages/templates/birthday');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Used by Birthday', exact: true }).waitFor();
});

test('a segment is created from a rule, with its sentence and count, published, and shows a player who enters with a deposit', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/segments`);
  await page.getByRole('link', { name: 'New segment' }).click();
  // Wait for the new page first, because the filter of the list has a field of the same name.
  await page.getByRole('heading', { name: 'New segment' }).waitFor();
  await page.getByLabel('Name').fill('Newcomers with money');
  await page.getByLabel('Code').fill('newcomers');
  await page.getByText('JSON', { exact: true }).click();
  await page.getByLabel('Rule (JSON)').fill('{ "combinator": "and", "rules": [');
  await page.getByText('This is not valid JSON yet').waitFor();
  const rule = (value: unknown) =>
    JSON.stringify({ combinator: 'and', rules: [{ field: 'trait.deposit_sum', operator: '>=', value }] });
  await page.getByLabel('Rule (JSON)').fill(rule('much'));
  await page.getByText('Fix these errors to use the rule').waitFor();
  await page.getByLabel('Rule (JSON)').fill(rule('20'));
  await page.getByText('Builder', { exact: true }).click();
  await page.getByText(/removes \d/).waitFor();
  await page.getByLabel('Try a player').fill('ann-1');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Actual value' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('heading', { name: 'Newcomers with money' }).waitFor();
  await page.getByRole('tab', { name: 'Rule' }).click();
  await page.getByText('If you published the draft now').waitFor();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Transitions' }).click();
  await deposit(installation, 'ann-3');
  const entered = page.getByRole('link', { name: 'ann-3' });
  // An empty list shows the first player who enters immediately. Otherwise the list says that there is something new.
  const fresh = page.getByRole('button', { name: /^\d+ new$/ });
  await entered.or(fresh).first().waitFor();
  if (await fresh.isVisible()) await fresh.click();
  await entered.waitFor();
  expect(complaints).toEqual([]);
});

test('a page shows its title while it loads and when it fails, and names the tab of the browser', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    void page.route('**/brands/demo/bonus-list', async (route) => {
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.fulfill({ status: 403, json: { message: 'Not for you.' } });
    });
  });
  await page.goto(`${installation.url}/console/demo/rewards/bonus-list`);
  await isAsked;
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'Bonus list' }).waitFor();
  expect(await page.title()).toBe('Bonus list – Demo Casino – Croupier');
  expect(await accessibilityProblems(page)).toEqual([]);
  answer();
  await page.getByRole('alert').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Bonus list' }).waitFor();
  // While an object loads, its heading is not the name of its list. Once it is loaded, the heading is its own name.
  const segment = await callApi<{ name: string }>(installation, 'GET', '/brands/demo/segments/high_rollers');
  const title = `${segment.name} – Segments – Demo Casino – Croupier`;
  const held: (() => void)[] = [];
  let isSlow = true;
  await page.route('**/brands/demo/segments/high_rollers', async (route) => {
    if (isSlow) await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  await page.goto(`${installation.url}/console/demo/segments/high_rollers`);
  await page.getByRole('heading', { level: 2, name: 'Loading' }).waitFor();
  expect(await page.getByRole('heading', { level: 2, name: 'Segments' }).count()).toBe(0);
  await expect.poll(() => page.title()).toBe('high_rollers – Segments – Demo Casino – Croupier');
  expect(await accessibilityProblems(page)).toEqual([]);
  isSlow = false;
  for (const go of held) go();
  await page.getByRole('heading', { level: 2, name: segment.name }).waitFor();
  await expect.poll(() => page.title()).toBe(title);
});

test('axe finds nothing on any page, dark and light, in German', { timeout: axeLoopMs }, async (context) => {
  const page = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE' });
  await page.goto(`${installation.url}/console/sign-in`);
  const { email, password } = firstLogin(installation);
  await page.locator('input[type=email]').fill(email);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.getByRole('heading', { level: 2 }).waitFor();
  for (const place of places.console) {
    await visit(page, installation, place);
    const tab = /tab=(\w+)/.exec(place)?.[1];
    // Another tab of the same page has the same heading.
    if (tab !== undefined) await page.locator(`[role=tab][aria-selected=true][id$="-tab-${tab}"]`).waitFor();
    await loaded(page);
    expect(await accessibilityProblemsInBothSchemes(page), place).toEqual([]);
    await expectToFit(page, place);
    // The editor of a template shows the names of fields, which templates use.
    if (!place.startsWith('messages/templates/')) expect(await rawCodesOn(page), place).toEqual([]);
  }
});

test('an installation in production has a colored header with a word, readable in light and dark', async (context) => {
  const page = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE' });
  await signIn(page, installation);
  const header = page.getByRole('banner');
  const color = () => page.evaluate("getComputedStyle(document.querySelector('header')).backgroundColor");
  await header.getByRole('combobox', { name: 'Marke' }).waitFor();
  expect(await header.getByText('Produktion').count()).toBe(0);
  const ofTrial = await color();
  // This installation has an http address. With https, the browser would require a certificate.
  await page.route('**/api/console/v1/brands', async (route) => {
    const answer = await route.fetch();
    const { items } = (await answer.json()) as { items: { production: boolean }[] };
    expect(items).toMatchObject([{ production: false }]);
    await route.fulfill({ response: answer, json: { items: [{ ...items[0], production: true }], next: null } });
  });
  await page.reload();
  await header.getByText('Produktion').waitFor();
  expect(await color()).not.toBe(ofTrial);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await expectToFit(page, 'the header of production');
});
