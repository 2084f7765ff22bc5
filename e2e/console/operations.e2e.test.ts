import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { accessibilityProblems, accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { setupWithOperator } from './operator-setup.ts';
import { axeLoopMs, places } from './places.ts';
import { rawCodesOn } from './raw-codes.ts';
import { callApi, complaintsOf, expectToFit, openTab, signIn, visit } from './session.ts';

/* The console as operations, compliance and administrators use it: the evidence of an exclusion, the audit, a read-only account. */
const { operator, installation, browser, pool, tell, newPlayer, isReadyToCredit, orderBonus } =
  await setupWithOperator();

test('a look-up on request shows what changed at the operator, and each channel shows why it is withheld', async (context) => {
  await newPlayer('asked-1');
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/players/asked-1`);
  await page.getByRole('button', { name: /^e-mail/ }).waitFor();
  operator.books.change('asked-1', { details: { country: 'SE' }, consents: [{ type: 'Email', opted_in: false }] });
  await page.getByRole('button', { name: 'Ask the operator now' }).click();
  await page.getByRole('row', { name: /^Country.*SE/i }).waitFor();
  await page.getByRole('row', { name: /^e-mail.*✗/ }).waitFor();
  await page.getByRole('button', { name: /^e-mail.*withheld.*no consent/ }).click();
  await page.getByRole('dialog').getByText('no consent').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // Actions of staff are part of the player's history.
  await page.goto(`${installation.url}/console/demo/players/asked-1?kind=staff`);
  await page.getByRole('row', { name: /refreshed a player from the operator/ }).waitFor();
  expect(complaints).toEqual([]);
});

test('on a phone, nothing is cut off: now, a player, approvals', async (context) => {
  await newPlayer('phone-1');
  const page = await browser.page(context, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await signIn(page, installation);
  for (const place of ['now', 'players/phone-1', 'players/phone-1?tab=protection', 'rewards/approvals']) {
    await page.goto(`${installation.url}/console/demo/${place}`);
    await page.getByRole('heading', { level: 2 }).waitFor();
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: place })
      .toBeLessThanOrEqual(390);
    expect(await accessibilityProblems(page), place).toEqual([]);
  }
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('link', { name: 'Live', exact: true }).tap();
  await page.getByRole('heading', { name: 'Live' }).waitFor();
});

test('an exclusion has evidence: when it arrived, that every stage applied it, and what has been withheld since', async (context) => {
  operator.dials.set('bonus_credit', { faults: [] });
  await newPlayer('excluded-1');
  operator.books.change('excluded-1', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
  await tell('PUT', 'user/blocks', 'excluded-1');
  const page = await browser.page(context);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/compliance/exclusions?user_id=excluded-1`);
  const line = page.getByRole('row', { name: /excluded-1/ });
  await line.getByText('queued messages withdrawn, campaign runs ended').waitFor();
  // The list fits into a desktop window of 1280 pixels.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  await orderBonus('excluded-1');
  await line.getByRole('link', { name: 'Withheld since' }).click();
  await page
    .getByRole('row', { name: /bonus.*withheld.*excluded/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page
    .getByRole('cell', { name: /^excluded: / })
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Proof', exact: true }).click();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('The chain is intact.').waitFor();
});

test('a consent is withdrawn and a player is blocked for a reason, on the page of the player', async (context) => {
  await newPlayer('protected-1');
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'players/protected-1?tab=protection');
  const consent = page.getByRole('row', { name: /^e-mail/ });
  await consent.getByText('given').waitFor();
  await page.getByRole('button', { name: 'Withdraw: e-mail' }).press('Enter');
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Withdraw' }).isDisabled()).toBe(true);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByLabel('Reason').fill('Asked for it by phone');
  await dialog.getByRole('button', { name: 'Withdraw' }).press('Enter');
  await consent.getByText('withdrawn').waitFor();
  await page.getByRole('button', { name: 'Set: block' }).click();
  await dialog.getByLabel('Reason').fill('Under investigation');
  await dialog.getByRole('button', { name: 'Set' }).click();
  await page
    .getByRole('alert')
    .getByText(/blocked/)
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});

test('a read-only account sees no buttons for changes, and a page that it may not open shows the reason', async (context) => {
  const { email, password } = await callApi<{ email: string; password: string }>(installation, 'POST', '/accounts', {
    email: 'reader@example.com',
    grants: [{ brand: 'demo', role: 'viewer' }],
  });
  const page = await browser.page(context);
  await signIn(page, installation, { email, password });
  await page.goto(`${installation.url}/console/demo/integration/rebuilds`);
  await page.getByRole('heading', { name: 'Rebuilds' }).waitFor();
  expect(await page.getByRole('button', { name: 'Recompute' }).count()).toBe(0);
  await page.goto(`${installation.url}/console/demo/settings/audit`);
  await page.getByText('Ask an administrator for a role that has access.').waitFor();
  await visit(page, installation, 'settings/accounts');
  await page.getByText('This requires the permission “Create, change and disable accounts”.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Add an account' }).count()).toBe(0);
  const template = { code: 'viewed', name: 'Viewed', channel: 'sms', content: { en: { text: 'Hi' } } };
  await callApi(installation, 'POST', '/brands/demo/templates', template);
  await visit(page, installation, 'messages/templates/viewed');
  await page.getByText('Your role can view this template but not change it.').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

test('the page of an object that does not exist links to the list of such objects', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  for (const [place, list] of [
    ['campaigns/none', 'campaigns'],
    ['runs/99999', 'campaigns'],
    ['players/nobody', 'players'],
  ] as const) {
    await visit(page, installation, place);
    await page.getByText('This does not exist').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: /^Back to: / }).getAttribute('href')).toBe(`/console/demo/${list}`);
  }
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
});

test('a held list shows the reason, and that it was not compared yet', async (context) => {
  type Started = { items: { reconciliation_id: number }[] };
  const { items } = await callApi<Started>(installation, 'POST', '/brands/demo/reconciliations', {
    fields: ['blocked'],
  });
  const id = items[0]?.reconciliation_id;
  const state = async () =>
    (await callApi<{ state: string }>(installation, 'GET', `/brands/demo/reconciliations/${id}`)).state;
  await expect.poll(state, { timeout: 20_000 }).toBe('held');
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, `integration/reconciliations/${id}`);
  await page.getByRole('heading', { name: 'Reconciliation: blocked' }).waitFor();
  await page.getByText('On hold: the list is empty.').waitFor();
  await page.getByText('the lists have not been compared').waitFor();
  expect(await page.getByText('both sides have the same data').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the audit and the timeline show names and values instead of JSON', async (context) => {
  operator.dials.set('bonus_credit', { faults: [] });
  await newPlayer('named-1');
  const bonus = { bonus_code: 'FREESPINS20', offer: false };
  await callApi(installation, 'POST', '/brands/demo/players/named-1/bonus-credits', bonus);
  await callApi(installation, 'POST', '/brands/demo/tags', { user_id: 'named-1', tag: 'vip', action: 'add' });
  const content = { en: { text: 'Hi' } };
  const template = { code: 'short_1', name: 'A short text', channel: 'sms', content };
  await callApi(installation, 'POST', '/brands/demo/templates', template);
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'settings/audit');
  await page.getByRole('link', { name: 'A short text' }).waitFor();
  await page.getByText('20 free spins (FREESPINS20)').first().waitFor();
  // The filters offer the people and actions of the entries, by name. No URL contains an e-mail address.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('combobox', { name: 'Who' }).click();
  await page.getByRole('option', { name: 'admin token' }).click();
  await page.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'changed tags' }).click();
  await page.getByRole('link', { name: 'A short text' }).waitFor({ state: 'detached' });
  // If a text looks like a number, the router puts it in quotation marks.
  expect(new URL(page.url()).searchParams.get('account_id')).toBe('"0"');
  expect(asked.filter((url) => url.includes('%40') || url.includes('@'))).toEqual([]);
  const tagged = page.getByRole('row').filter({ hasText: 'vip' });
  await tagged.getByText('Tag', { exact: true }).waitFor();
  expect(await page.getByText('{"').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);

  await visit(page, installation, 'players/named-1');
  const entry = page.getByRole('row', { name: /vip/ }).first();
  await entry.getByRole('button', { name: 'Details' }).click();
  await page.locator('dl').getByText('Action', { exact: true }).waitFor();
  expect(await page.getByText('"action"').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the audit links budgets and messages, also a budget that was closed', async (context) => {
  await newPlayer('messaged-1');
  const message = { event: 'inbox', title: 'Ten spins', message: '<p>On us</p>' };
  const ordered = '/brands/demo/players/messaged-1/messages';
  const { message_id } = await callApi<{ message_id: number }>(installation, 'POST', ordered, message);
  const { budget_id } = await callApi<{ budget_id: number }>(installation, 'POST', '/brands/demo/budgets', {
    name: 'Spins of the audit',
    scope: 'player',
    window_days: 30,
    limit_count: 1_000,
  });
  await callApi(installation, 'DELETE', `/brands/demo/budgets/${budget_id}`);
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'settings/audit');
  const current = page.locator('tr[aria-current=true]');
  await page
    .getByRole('row', { name: /closed a budget/ })
    .getByRole('link', { name: String(budget_id) })
    .click();
  await current.filter({ hasText: 'Spins of the audit' }).waitFor();
  await visit(page, installation, `settings/audit?subject=message ${message_id}`);
  await page.getByRole('link', { name: String(message_id) }).click();
  await page.waitForURL('**/players/messaged-1?*');
  await current.filter({ hasText: 'Ten spins' }).waitFor();
});

test('masked data of a player is shown once a reason is given, the audit records who saw it, and no log or address contains it', async (context) => {
  operator.books.addPlayer('masked-1', {
    details: { first_name: 'Miaphora', email: 'mia@example.com', mobile: '998877665' },
  });
  await tell('POST', 'user', 'masked-1');
  await expect.poll(() => isReadyToCredit('masked-1'), { timeout: 20_000 }).toBe(true);
  const login = { email: 'help@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'support' }] });
  const page = await browser.page(context);
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(decodeURIComponent(request.url())));
  page.on('framenavigated', (frame) => addresses.push(decodeURIComponent(frame.url())));
  await signIn(page, installation, login);
  await page.goto(`${installation.url}/console/demo/players`);
  await page.getByPlaceholder('Player id, name, e-mail or phone').fill('mia@example.com');
  await page.getByRole('link', { name: 'masked-1' }).click();
  await openTab(page, 'Details');
  await page.getByRole('row', { name: 'E-mail ***' }).waitFor();
  await page.getByRole('button', { name: 'Show personal data' }).click();
  await page.getByLabel('Why do you need it?').fill('Ticket 4711');
  await page.getByRole('dialog').getByRole('button', { name: 'Show personal data' }).click();
  await page.getByRole('row', { name: 'E-mail mia@example.com' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const personal = /mia@example\.com|Miaphora|998877665/;
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((one) => personal.test(one))).toEqual([]);
  expect(installation.output()).not.toMatch(personal);
  await openTab(page, 'Timeline');
  await openTab(page, 'Details');
  await page.getByRole('row', { name: 'E-mail ***' }).waitFor();

  const compliance = { email: 'watch@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...compliance, grants: [{ brand: 'demo', role: 'compliance' }] });
  const other = await browser.page(context);
  await signIn(other, installation, compliance);
  await other.goto(`${installation.url}/console/demo/settings/audit?action=player.revealed`);
  const entry = other.getByRole('row', { name: /help@example.com .*Ticket 4711/ });
  await entry.waitFor();
  await expect.poll(() => entry.getByRole('cell').last().textContent(), { timeout: 30_000 }).toMatch(/^[0-9]+$/);
  await other.getByRole('tab', { name: 'Proof' }).click();
  await other.getByRole('button', { name: 'Verify now' }).click();
  await other.getByText('The chain is intact.').waitFor();
});

test('entering a player for an export does not select this player for erasure', async (context) => {
  await newPlayer('leaving-1');
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'compliance/privacy');
  const exporting = page.getByRole('region', { name: 'Export a player' });
  const erasing = page.getByRole('region', { name: 'Erase a player permanently' });
  await exporting.getByRole('button', { name: 'Download the export', disabled: true }).waitFor();
  await exporting.getByLabel('Player id').fill('leaving-1');
  const link = exporting.getByRole('link', { name: 'Download the export' });
  expect(await link.getAttribute('href')).toContain('/players/leaving-1/export');
  const erase = erasing.getByRole('button', { name: 'Erase the player' });
  await erasing.getByLabel('Player id again').fill('leaving-1');
  expect(await erase.isDisabled()).toBe(true);
  await erasing.getByLabel('Player id', { exact: true }).fill('leaving-1');
  await erase.click();
  const dialog = page.getByRole('dialog', { name: 'Erase the player' });
  await dialog.getByText('This erases leaving-1.').waitFor();
  await dialog.getByRole('button', { name: 'Erase the player' }).click();
  await page.getByText('The erasure is queued.').waitFor();
  expect(await erase.isDisabled()).toBe(true);
});

test('the receipt of an erasure says in words what was removed, who requested it and when, and can be downloaded', async (context) => {
  const login = { email: 'eraser@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'compliance' }] });
  await newPlayer('erased-1', [{ type: 'Email', opted_in: true }]);
  const page = await browser.page(context);
  await signIn(page, installation, login);
  await visit(page, installation, 'compliance/privacy');
  const erasing = page.getByRole('region', { name: 'Erase a player permanently' });
  await erasing.getByLabel('Player id', { exact: true }).fill('erased-1');
  await erasing.getByLabel('Player id again').fill('erased-1');
  await erasing.getByRole('button', { name: 'Erase the player' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase the player' }).click();
  await page.getByText('The erasure is queued.').waitFor();
  const { rows } = await pool.query("select erasure_id, user_key from erasure where user_id = 'erased-1'");
  const { erasure_id, user_key } = rows[0];
  const step = async () =>
    (await pool.query('select step from erasure where erasure_id = $1', [erasure_id])).rows[0].step;
  await expect.poll(step, { timeout: 30_000 }).toBe('settling');
  // The erasure then waits for a minute before it looks for late rows. The test does not wait.
  await pool.query('update erasure set due_at = now() where erasure_id = $1', [erasure_id]);
  const line = page.getByRole('row', { name: user_key.toString('base64').slice(0, 16) });
  await line.getByText('done').waitFor();
  await line.getByRole('button', { name: 'Details' }).click();
  const receipt = page.getByRole('region', { name: `Receipt of erasure ${erasure_id}` });
  await receipt.getByRole('row', { name: 'Requested by eraser@example.com' }).waitFor();
  await receipt.getByRole('row', { name: 'Events as the operator sent them 1', exact: true }).waitFor();
  await receipt.getByRole('row', { name: 'Personal details 1', exact: true }).waitFor();
  expect(await receipt.getByRole('row', { name: /^Finished .*[A-Z]{3}/ }).count()).toBe(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    receipt.getByRole('link', { name: 'Download the receipt as JSON' }).click(),
  ]);
  const stored = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>;
  expect(stored).toMatchObject({
    step: 'done',
    user_id: null,
    requested_by: login.email,
    counts: { 'ledger.events': 1 },
  });
  expect(download.suggestedFilename()).toBe(`erasure-${stored.erasure_id}.json`);
  expect(JSON.stringify(stored)).not.toContain('erased-1');
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('compliance sees the rules of each policy with their numbers, and the decisions in which they withheld a contact', async (context) => {
  await newPlayer('policy-1');
  operator.books.change('policy-1', { details: { country: 'GB', market: 'gb' } });
  await callApi(installation, 'POST', '/brands/demo/players/policy-1/refresh');
  type Policies = { items: { players: number }[] };
  const read = () => callApi<Policies>(installation, 'GET', '/brands/demo/policies');
  await expect.poll(async () => (await read()).items[0]?.players, { timeout: 20_000 }).toBe(1);
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'compliance/contact-rules');
  // Without consents for products, more is withheld, not less.
  await page.getByText('No consent is set for any product.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Market policies' }).click();
  const policy = page.getByRole('region', { name: 'Policy: United Kingdom (GB)' });
  await policy.getByText('It applies to 1 player of this brand.').waitFor();
  await policy.getByRole('row', { name: /wagered 10 times at most.*built in/ }).waitFor();
  await policy.getByRole('row', { name: /one product only.*built in/ }).waitFor();
  await policy.getByRole('row', { name: /within 2 days/ }).waitFor();
  await page.getByText('withheld from all players in these markets: United Kingdom (GB).').waitFor();
  await page.getByRole('row', { name: 'United Kingdom (GB) United Kingdom (GB) 1' }).waitFor();
  await policy.getByRole('link', { name: 'wagering requirement too high' }).click();
  await page.waitForURL('**/compliance/decisions?reason=policy_wagering');
  expect(await page.getByRole('combobox', { name: 'Reason' }).inputValue()).toBe('wagering requirement too high');
});

test("the staff audit finds a player's entries by the player id", async (context) => {
  await newPlayer('audited-1');
  await callApi(installation, 'POST', '/brands/demo/players/audited-1/refresh');
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'settings/audit');
  const field = page.getByLabel('Player id', { exact: true });
  await field.fill('audited-1');
  await field.press('Enter');
  await page.waitForURL('**/settings/audit?user_id=audited-1');
  await page.getByRole('row', { name: /audited-1/ }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  // The field keeps the keyboard focus, so another id can be typed immediately.
  await page.keyboard.type('0');
  expect(await field.inputValue()).toBe('audited-10');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/audit?user_id=audited-10');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL('**/settings/audit');
  await expect.poll(() => field.inputValue()).toBe('');
});

test.for([
  ['en-US', 'Player id', 'Search for an e-mail or phone number on the page Players.'],
  ['de-DE', 'Spieler-ID', 'suchen Sie auf der Seite Spieler.'],
] as const)(
  'no e-mail or phone number gets from a filter into an address, %s',
  async ([locale, label, error], context) => {
    const page = await browser.page(context, { locale });
    await signIn(page, installation);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(decodeURIComponent(request.url())));
    await visit(page, installation, 'compliance/decisions');
    const field = page.getByRole('textbox', { name: label, exact: true });
    for (const typed of ['mia@example.com', '+356 9912 3456']) {
      await field.fill(typed);
      await field.press('Enter');
      await page.getByText(error).waitFor();
      await field.blur();
      expect(page.url()).toMatch(/compliance\/decisions$/);
    }
    expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
    await field.fill('nobody-1');
    await page.getByText(error).waitFor({ state: 'detached' });
    await field.press('Enter');
    await page.waitForURL('**/compliance/decisions?user_id=nobody-1');
    expect(addresses.filter((one) => /mia@|9912/.test(one))).toEqual([]);
  },
);

test('the owner of a session and an administrator can see and end it, and its page asks for a sign-in; disabling an account can be undone', async (context) => {
  const login = { email: 'two-places@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'crm' }] });
  const [office, home] = [await browser.page(context), await browser.page(context)];
  await signIn(office, installation, login);
  await signIn(home, installation, login);
  await office.goto(`${installation.url}/console/demo/settings/profile`);
  await office.getByRole('row', { name: /Chrome on Linux.*this one/ }).waitFor();
  await office.getByRole('button', { name: 'End', exact: true }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
  await office.getByText('Ended.').waitFor();
  await home.goto(`${installation.url}/console/demo/players`);
  await home.getByRole('heading', { name: 'Sign in to Croupier' }).waitFor();
  await signIn(home, installation);
  await home.goto(`${installation.url}/console/demo/settings/accounts`);
  await home
    .getByRole('row', { name: /two-places/ })
    .getByRole('button', { name: 'Sessions' })
    .click();
  await home.getByRole('dialog').getByRole('cell', { name: 'Chrome on Linux' }).waitFor();
  await home.getByRole('button', { name: 'End all', exact: true }).click();
  await home.getByRole('dialog', { name: 'End all' }).getByRole('button', { name: 'End all', exact: true }).click();
  await home.getByText('The account is not signed in anywhere.').waitFor();
  await office.goto(`${installation.url}/console/demo/players`);
  await office.getByRole('heading', { name: 'Sign in to Croupier' }).waitFor();
  await home.keyboard.press('Escape');
  const account = home.getByRole('row', { name: /two-places/ });
  await account.getByRole('button', { name: /^More/ }).click();
  await home.getByRole('menuitem', { name: 'Disable' }).click();
  await account.getByText('disabled', { exact: true }).waitFor();
  await home.getByRole('button', { name: 'Undo' }).click();
  await account.getByText('active', { exact: true }).waitFor();
  // Members of staff cannot lock out their own accounts.
  const own = home.getByRole('row', { name: /admin@localhost/ });
  await own.getByRole('button', { name: /^More/ }).click();
  await home.getByRole('menuitem', { name: 'New password' }).waitFor();
  expect(await home.getByRole('menuitem', { name: 'Disable' }).count()).toBe(0);
});

test('axe finds nothing on any page of operations, dark and light, in German', {
  timeout: axeLoopMs,
}, async (context) => {
  const page = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE' });
  await signIn(page, installation);
  await newPlayer('axe-1');
  const { intent_id } = await orderBonus('axe-1');
  type Runs = { items: { reconciliation_id: number }[] };
  const runs = await callApi<Runs>(installation, 'POST', '/brands/demo/reconciliations', { fields: ['active'] });
  const objects: Readonly<Record<string, string>> = {
    'rewards/intents/$id': `rewards/intents/${intent_id}`,
    'integration/reconciliations/$id': `integration/reconciliations/${runs.items[0]?.reconciliation_id}`,
  };
  for (const listed of places.operations) {
    const place = objects[listed] ?? listed;
    await visit(page, installation, place);
    expect(await accessibilityProblemsInBothSchemes(page), place).toEqual([]);
    await expectToFit(page, place);
    if (place !== 'settings/channels') expect(await rawCodesOn(page), place).toEqual([]);
  }
});

test('date filters follow the language of the console, by typing and in the calendar', async (context) => {
  const page = await browser.page(context, { locale: 'en-US', timezoneId: 'Europe/Malta' });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.evaluate(`localStorage.setItem('croupier-language', 'de')`);
  await page.goto(`${installation.url}/console/demo/compliance/decisions`);
  const from = page.getByRole('textbox', { name: 'Ab (Datum)', exact: true });
  expect(await from.getAttribute('placeholder')).toBe('TT.MM.JJJJ');
  await from.fill('4.5.2026');
  await from.press('Enter');
  const inAddress = (name: string) => new URL(page.url()).searchParams.get(name);
  await expect.poll(() => inAddress('from')).toBe('2026-05-03T22:00:00.000Z');
  expect(await from.inputValue()).toBe('04.05.2026');
  await from.fill('31.04.2026');
  await from.press('Enter');
  await page.getByText('Geben Sie einen Tag als TT.MM.JJJJ ein').waitFor();
  expect(inAddress('from')).toBe('2026-05-03T22:00:00.000Z');

  // The focus begins at the chosen day, and keys move it. The first column is Monday.
  await page.getByRole('button', { name: 'Ab (Datum) im Kalender auswählen' }).press('Enter');
  const calendar = page.getByRole('dialog', { name: 'Ab (Datum)' });
  await calendar.getByText('Mai 2026').waitFor();
  await calendar.getByRole('button', { name: 'Montag, 4. Mai 2026' }).and(page.locator(':focus')).waitFor();
  expect(await calendar.getByRole('columnheader').first().textContent()).toBe('Mo');
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  for (const key of ['ArrowLeft', 'ArrowUp', 'PageDown', 'Home']) await page.keyboard.press(key);
  await calendar.getByText('Mai 2026').waitFor();
  await page.keyboard.press('Enter');
  await calendar.waitFor({ state: 'detached' });
  await expect.poll(() => from.inputValue()).toBe('25.05.2026');
  await from.fill('');
  await from.press('Enter');
  await expect.poll(() => inAddress('from')).toBeNull();
  expect(complaints).toEqual([]);
});
