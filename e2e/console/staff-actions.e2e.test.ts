import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { accessibilityProblems, accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { setupWithOperator } from './operator-setup.ts';
import { places } from './places.ts';
import { rawCodesOn } from './raw-codes.ts';
import { callApi, complaintsOf, expectToFit, openTab, signIn, visit } from './session.ts';

/*
 * Actions of staff on one player, one address, one list or one account: messages and bonuses, recalls, suppressed addresses, lists
 * for telephone and post, re-synchronizations and roles. They also create a brand.
 */
const { operator, operatorKey, installation, browser, newPlayer } = await setupWithOperator();
/** Creates a player who may be contacted on the site and by telephone. */
const newReachable = (user_id: string) =>
  newPlayer(user_id, [
    { type: 'SiteNotification', opted_in: true },
    { type: 'Telephone', opted_in: true },
  ]);
beforeAll(() => newReachable('ann-1'));

const inList = (user_id: string) =>
  callApi<{ message_id: number }>(installation, 'POST', `/brands/demo/players/${user_id}/messages`, {
    channel: 'telephone',
    list: 'vip',
    note: 'Ask how the weekend was',
  });

test('a message is sent to one player and recalled, on the page of the player', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'players/ann-1?tab=messages');
  await page.getByRole('button', { name: 'Send a message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a message' });
  await dialog.getByLabel('Title').fill('About your ticket');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('It is <solved>.');
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send the message' }).click();
  await dialog.getByText('live', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  const row = page.getByRole('row', { name: /About your ticket/ });
  await row.getByText('live', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Recall: About your ticket' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
  await page.getByText('The message was recalled.').waitFor();
  await row.getByText('withdrawn', { exact: true }).waitFor();
  type Messages = { items: { message: string }[] };
  const { items } = await callApi<Messages>(installation, 'GET', '/brands/demo/players/ann-1/messages');
  expect(items).toMatchObject([{ message: '<p>It is &lt;solved&gt;.</p>', state: 'withdrawn' }]);
  expect(complaints).toEqual([]);
});

test('the campaign of a message is a link if it exists; another id of the caller is not', async (context) => {
  const campaign = { code: 'autumn', name: 'Days of autumn', entry: { api: true }, steps: [{ id: 'end', exit: {} }] };
  await callApi(installation, 'POST', '/brands/demo/campaigns', campaign);
  for (const campaign_id of ['autumn', 'letter-12'])
    await callApi(installation, 'POST', '/brands/demo/players/ann-1/messages', {
      channel: 'site',
      event: 'inbox',
      title: `From ${campaign_id}`,
      message: 'Hello',
      campaign_id,
    });
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'players/ann-1?tab=messages');
  await page.getByRole('link', { name: 'Days of autumn' }).waitFor();
  await page.getByRole('cell', { name: 'letter-12', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'letter-12' }).count()).toBe(0);
});

test('the page of a player shows nothing of the player before: no revealed data, and no request to the operator', async (context) => {
  await Promise.all([newPlayer('shown-1'), newPlayer('shown-2')]);
  operator.books.change('shown-1', { details: { email: 'shown@example.com' } });
  const login = { email: 'reveal@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'support' }] });
  const page = await browser.page(context);
  await signIn(page, installation, login);
  await visit(page, installation, 'players/shown-2?tab=details');
  await page.keyboard.press('Control+K');
  await page.getByPlaceholder('Search or jump to').fill('shown-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'shown-1' }).waitFor();
  await page.getByRole('button', { name: 'Ask the operator now' }).click();
  const answer = page.getByRole('heading', { name: 'Answer of the operator' });
  await answer.waitFor();
  await openTab(page, 'Details');
  await page.getByRole('button', { name: 'Show personal data' }).click();
  await page.getByLabel('Why do you need it?').fill('Ticket 4712');
  await page.getByRole('dialog').getByRole('button', { name: 'Show personal data' }).click();
  await page.getByRole('row', { name: 'E-mail shown@example.com' }).waitFor();
  // Another tab is another query string, so the page keeps its state.
  expect(await answer.count()).toBe(1);

  await page.goBack();
  await page.getByRole('heading', { name: 'shown-2' }).waitFor();
  await page.getByText('Your role sees masked personal data.').waitFor();
  expect(await page.getByText('shown@example.com').count()).toBe(0);
  expect(await page.getByText('Asking the operator').count()).toBe(0);
  expect(await answer.count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Ask the operator now' }).isEnabled()).toBe(true);
});

test('a bonus is credited to one player once, and the dialog links to it', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'players/ann-1?tab=bonuses');
  await page.getByRole('button', { name: 'Credit a bonus' }).click();
  const dialog = page.getByRole('dialog', { name: 'Credit a bonus' });
  await dialog.getByRole('combobox', { name: 'Bonus code' }).fill('CASHBACK10');
  await page.keyboard.press('Escape');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('12,50');
  await dialog.getByText('A number such as 12.50').waitFor();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('12.50');
  expect(await dialog.getByRole('textbox', { name: 'Currency' }).inputValue()).toBe('EUR');
  const credit = dialog.getByRole('button', { name: 'Credit the bonus' });
  expect(await credit.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Ticket 17');
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  // The answer is lost, and the person closes the dialog and opens it again. The order can then only be sent again unchanged.
  await page.route(
    '**/bonus-credits',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await credit.click();
  await dialog.getByText('The answer to this order did not arrive').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Credit a bonus' }).click();
  expect(await dialog.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12.50');
  expect(await dialog.getByRole('textbox', { name: 'Amount' }).isDisabled()).toBe(true);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send the same order again' }).click();
  await dialog.getByRole('link', { name: 'Show the bonus' }).click();
  await page.getByRole('heading', { name: /CASHBACK10/ }).waitFor();
  await expect.poll(() => operator.books.credits.length).toBe(1);
  expect(operator.books.credits).toMatchObject([{ user_id: 'ann-1', bonus_code: 'CASHBACK10' }]);
});

test('an address and a number are suppressed for a reason, looked up, and allowed again', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'compliance/suppressions');
  const find = page.getByRole('button', { name: 'Look up' });
  const add = page.getByRole('button', { name: 'Suppress', exact: true });
  const result = page.getByRole('region', { name: 'Result' });
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('gone@example.com');
  await find.click();
  await result.getByText('gone@example.com is not suppressed').waitFor();
  expect(await add.isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Reason' }).fill('Asked for it in ticket 17');
  await add.click();
  await result.getByText('gone@example.com is suppressed').waitFor();
  await result.getByText('staff', { exact: true }).waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await result.getByText('gone@example.com is no longer suppressed.').waitFor();
  // A number may be written with spaces.
  await page.getByText('Mobile number', { exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('+356 9912 3456');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong number');
  await add.click();
  await result.getByText('+35699123456 is suppressed').waitFor();
  await page.getByRole('textbox', { name: 'Reason' }).fill('It was the right one');
  await page.getByRole('button', { name: 'Remove the suppression' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the suppression' }).click();
  await result.getByText('+35699123456 is no longer suppressed.').waitFor();
  // No URL of the console contains the number or the e-mail address.
  expect(page.url()).not.toMatch(/gone|9912/);
  await visit(page, installation, 'settings/audit?action=email.suppressed');
  await page.getByRole('row', { name: /Asked for it in ticket 17/ }).waitFor();
  await page.getByRole('textbox', { name: 'E-mail address' }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('the answer about an address names this address, and Undo allows it again, even if another address was typed meanwhile', async (context) => {
  const suppressions = '/brands/demo/email-suppressions';
  const isSuppressed = async (address: string) =>
    (await callApi<{ suppressed: boolean }>(installation, 'POST', `${suppressions}/find`, { address })).suppressed;
  await callApi(installation, 'POST', suppressions, { address: 'second@example.com', note: 'Ticket 18' });
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'compliance/suppressions');
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    void page.route('**/email-suppressions', async (route) => {
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.continue();
    });
  });
  const address = page.getByRole('textbox', { name: 'E-mail address' });
  await address.fill('first@example.com');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Asked for it in ticket 18');
  await page.getByRole('button', { name: 'Suppress', exact: true }).click();
  await isAsked;
  await address.fill('second@example.com');
  answer();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('first@example.com is suppressed').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await result.getByText('first@example.com is no longer suppressed.').waitFor();
  expect(await Promise.all(['first@example.com', 'second@example.com'].map(isSuppressed))).toEqual([false, true]);
});

test('a telephone list is exported, and its outcomes are reported one by one and from a file', async (context) => {
  await Promise.all(['call-1', 'call-2', 'call-3'].map(newReachable));
  const [first, second, third] = await Promise.all(['call-1', 'call-2', 'call-3'].map(inList));
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'messages/contact-lists');
  await page.getByRole('link', { name: 'vip' }).click();
  await page.getByRole('row', { name: /call-1.*waiting/ }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('telephone-vip.csv');
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.trim().split('\r\n')).toHaveLength(4);
  await page.getByText('Players in the file: 3').waitFor();
  await page.getByRole('row', { name: /call-1.*exported/ }).waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  await page.getByRole('button', { name: 'Reached: call-1', exact: true }).click();
  await page.getByRole('row', { name: /call-1.*reached/ }).waitFor();

  await page.getByRole('button', { name: 'Upload outcomes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload outcomes' });
  const rows = [`${first?.message_id},reached`, `${second?.message_id},opted_out`, `${third?.message_id},not reached`];
  const buffer = Buffer.from(['message_id;outcome', ...rows, '7;reached'].join('\n').replaceAll(',', ';'));
  await dialog.locator('input[type=file]').setInputFiles({ name: 'calls.csv', mimeType: 'text/csv', buffer });
  await dialog.getByText('Consents that this withdraws, in Croupier and at the operator: 1').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Report outcomes: 4' }).click();
  await dialog.getByText('New outcomes: 2. Already stored: 1.').waitFor();
  await dialog.getByText('Rows that were refused: 1').waitFor();
  await dialog.getByText(/^Line 5: /).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('row', { name: /call-2.*opted out/ }).waitFor();
  await expect
    .poll(() => operator.books.player('call-2')?.consents.find(({ type }) => type === 'Telephone')?.opted_in)
    .toBe(false);
  await page.getByRole('link', { name: 'All lists' }).click();
  // The last number of the row counts the entries that ended. Until the list is read again, it is 0 and no link.
  await page
    .getByRole('row', { name: /vip.*3$/ })
    .getByRole('link')
    .last()
    .click();
  await page.getByRole('row', { name: /call-2.*opted out/ }).waitFor();
  expect(new URL(page.url()).search).toBe('?state=ended');
  expect(await page.getByRole('row', { name: /waiting|exported/ }).count()).toBe(0);
  // The browser reports the refused row.
  expect(complaints.filter((complaint) => !complaint.includes(' 404 '))).toEqual([]);
});

test('players are looked up again in a re-synchronization, with its progress', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'integration/resyncs');
  await page.getByText('There has been no re-synchronization.').waitFor();
  await page.getByRole('button', { name: 'Start a re-synchronization' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a re-synchronization' });
  await dialog.getByRole('combobox', { name: 'Players' }).click();
  await page.getByRole('option', { name: 'Players of a list' }).click();
  expect(await dialog.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Player ids' }).fill('ann-1\nnobody-1');
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Started. These ids are unknown: nobody-1').waitFor();
  await page.getByRole('row', { name: /1 given players.*done.*3 of 3 answered/ }).waitFor();
  expect(complaints).toEqual([]);
});

test('roles of an account are changed, and Undo restores them', async (context) => {
  type Account = { items: { email: string; grants: object[] }[] };
  const login = { email: 'mover@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'support' }] });
  const grants = async () =>
    (await callApi<Account>(installation, 'GET', '/accounts')).items.find(({ email }) => email === login.email)?.grants;
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'settings/accounts');
  const account = page.getByRole('row', { name: /mover@example.com/ });
  await account.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Change roles' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roles of mover@example.com' });
  await dialog.getByRole('button', { name: 'Add a role' }).click();
  await dialog.getByRole('group', { name: 'Role 2' }).getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Compliance' }).click();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save the roles' }).click();
  await account.getByText('Compliance (Demo Casino)').waitFor();
  expect(await grants()).toHaveLength(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(grants).toEqual([{ brand: 'demo', role: 'support' }]);
  // Members of staff cannot take away their own roles.
  const own = page.getByRole('row', { name: /admin@localhost/ });
  await own.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'New password' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Change roles' }).count()).toBe(0);
});

test('support suppresses an address without looking it up, and reports outcomes without an export', async (context) => {
  const login = { email: 'desk@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'support' }] });
  await inList('ann-1');
  const page = await browser.page(context);
  await signIn(page, installation, login);
  await visit(page, installation, 'compliance/suppressions');
  await page.getByRole('button', { name: 'Remove the suppression' }).waitFor();
  expect(await page.getByRole('button', { name: 'Look up' }).count()).toBe(0);
  await visit(page, installation, 'messages/contact-lists/telephone/vip');
  await page.getByRole('button', { name: 'Upload outcomes' }).waitFor();
  expect(await page.getByRole('button', { name: 'Export as CSV' }).count()).toBe(0);
  await visit(page, installation, 'players/ann-1?tab=messages');
  expect(await page.getByRole('button', { name: 'Send a message' }).count()).toBe(0);
  await visit(page, installation, 'integration/resyncs');
  expect(await page.getByRole('button', { name: 'Start a re-synchronization' }).count()).toBe(0);
});

test('the page of a player answers why a message did not arrive: the decision with its inputs', async (context) => {
  await newPlayer('why-1', [{ type: 'SiteNotification', opted_in: false }]);
  await callApi(installation, 'POST', '/brands/demo/players/why-1/messages', {
    event: 'inbox',
    title: 'Your weekend',
    message: 'Come and see',
  });
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await page.getByPlaceholder('Player id, name, e-mail or phone').fill('why-1');
  await page.getByRole('link', { name: 'why-1' }).click();
  // The strip of channels shows the current answer of the gate. The timeline shows its decision about the message.
  await page.getByRole('button', { name: /^site.*withheld.*no consent/ }).waitFor();
  const then = page.getByRole('row', { name: /decision.*withheld.*no consent/i }).first();
  await then.getByRole('link', { name: /decision/i }).click();
  await page.getByRole('heading', { level: 2, name: 'Decisions' }).waitFor();
  await page
    .getByRole('row', { name: /why-1.*site.*withheld.*no consent/ })
    .and(page.locator('[aria-current]'))
    .waitFor();
  // The input that caused the decision: the consent, its value and its source.
  await page.getByRole('row', { name: /^consent: .*(SiteNotification|site messages).*no/i }).waitFor();
  // The tab of messages names the reason at the message, too.
  await visit(page, installation, 'players/why-1?tab=messages');
  await page.getByRole('row', { name: /Your weekend.*no consent/ }).waitFor();
  expect(complaints).toEqual([]);
});

test('a new brand: created in the console, a key, the operator, first events, and a green checklist', async (context) => {
  const page = await browser.page(context, { timezoneId: 'Europe/Malta' });
  await signIn(page, installation);
  await visit(page, installation, 'settings/brands');
  await page.getByRole('row', { name: /Demo Casino.*Configuration file/ }).waitFor();
  await page.getByText('At each start, it replaces their settings').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nova');
  const code = page.getByRole('textbox', { name: 'Code', exact: true });
  const create = page.getByRole('button', { name: 'Create the brand' });
  await code.fill('Nova!');
  await create.click();
  await page.getByText('must be a code of up to 32').waitFor();
  await code.and(page.locator(':focus')).waitFor();
  await code.fill('demo');
  await create.click();
  await page.getByText('brand demo exists already').waitFor();
  await code.fill('nova');
  await create.click();
  await page.getByRole('heading', { level: 2, name: 'Go-live checklist' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/nova/integration/checklist');
  await page.getByText('0 of 7 steps are done').waitFor();
  const { settings } = await callApi<{ settings: object }>(installation, 'GET', '/brands/nova');
  expect(settings).toMatchObject({ base_currency: 'EUR', time_zone: 'Europe/Malta', zoneless_timestamps: 'UTC' });

  await page.getByRole('link', { name: 'Create an API key' }).click();
  await page.getByLabel('Purpose of the key').fill('first feed');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByTestId('new-key').textContent())?.trim() ?? '';
  const auth = { type: 'api_key', header: 'X-API-Key', value: operatorKey };
  const operatorOfNova = { base_url: operator.url, auth };
  await callApi(installation, 'PUT', '/brands/nova/settings', { operator: operatorOfNova });
  operator.books.addPlayer('nova-1', { details: { language: 'en' }, consents: [] });
  const publish = async (path: string, event: object) => {
    const answer = await fetch(`${installation.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      // On a busy machine, the event would otherwise count as published late.
      body: JSON.stringify({ user_id: 'nova-1', timestamp: new Date(Date.now() + 60_000).toISOString(), ...event }),
    });
    expect(answer.status, await answer.text()).toBe(200);
  };
  await publish('v2/integration/user', {});
  await publish('v2/integration/login', { origin: 'casino.example', ip_address: '192.0.2.1' });
  await publish('v1/integration/payment', {
    payment_id: 'first',
    type: 'Credit',
    status: 'Approved',
    amount: 25,
    currency: 'EUR',
    exchange_rate: 1,
    vendor_id: '1',
    vendor_name: 'Cards',
    origin: 'casino.example',
  });
  await page.getByRole('link', { name: 'Go-live checklist' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The brand can go live. All 7 steps are done.' });
  await alert.waitFor();
  expect(await page.getByRole('row', { name: /^[1-7]\..*done/ }).count()).toBe(7);
});

test('axe finds nothing on the pages of these actions, dark and light, in German', async (context) => {
  await inList('ann-1');
  const page = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE' });
  await signIn(page, installation);
  for (const place of places.staffActions) {
    await visit(page, installation, place);
    expect(await accessibilityProblemsInBothSchemes(page), place).toEqual([]);
    await expectToFit(page, place);
    expect(await rawCodesOn(page), place).toEqual([]);
  }
});
