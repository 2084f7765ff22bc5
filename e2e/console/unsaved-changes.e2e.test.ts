import type { Page } from 'playwright-core';
import { expect, type TestContext, test } from 'vitest';
import { accessibilityProblems } from '../site/accessibility.ts';
import { callApi, createCampaign, openTab, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * The console asks before unsaved text is lost, when the user follows a link or closes a dialog. Another tab of the same page keeps
 * the text.
 */
const { installation, browser } = await setupConsole();

const open = async (context: TestContext, locale = 'en-US') => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 }, locale });
  await signIn(page, installation);
  return page;
};

const rule = (value: number) => ({
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count', operator: '>=', value }],
});
const newSegment = (code: string) =>
  callApi(installation, 'POST', '/brands/demo/segments', { code, name: `Segment ${code}`, rule: rule(1) });
const draftOf = async (code: string) =>
  (await callApi<{ draft: { rule: unknown } }>(installation, 'GET', `/brands/demo/segments/${code}`)).draft.rule;

const json = (page: Page) => page.getByLabel('Rule (JSON)');
const showJson = (page: Page) =>
  page.getByRole('radiogroup', { name: 'View of the rule' }).getByText('JSON', { exact: true }).click();
const write = (page: Page, value: number) => json(page).fill(JSON.stringify(rule(value), null, 2));
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save as draft' });
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

/** Whether the browser asks before it closes or reloads the page. */
const asksBeforeUnload = (page: Page) =>
  page.evaluate(
    `(() => { const unload = new Event('beforeunload', { cancelable: true }); window.dispatchEvent(unload); return unload.defaultPrevented; })()`,
  );

/** Follows a link of the menu, stays once, and then leaves. */
async function leave(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  const link = page.getByRole('link', { name: 'Players', exact: true });
  await link.click();
  await question(page).getByRole('button', { name: 'Stay' }).click();
  await question(page).waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe(pathname);
  await link.click();
  await question(page).getByRole('button', { name: 'Leave without saving' }).click();
  await page.waitForURL('**/console/demo/players');
}

test('a changed rule is kept while another tab of the segment is open, and is lost only after a question', async (context) => {
  await newSegment('kept');
  const page = await open(context);
  await visit(page, installation, 'segments/kept?tab=rule');
  await showJson(page);
  await write(page, 2);
  await openTab(page, 'Members');
  await openTab(page, 'Rule');
  await showJson(page);
  expect(JSON.parse(await json(page).inputValue())).toEqual(rule(2));
  expect(await asksBeforeUnload(page)).toBe(true);
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await question(page).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  await leave(page);
  expect(await draftOf('kept')).toEqual(rule(1));

  // A saved rule does not count as an unsaved change.
  await visit(page, installation, 'segments/kept?tab=rule');
  await showJson(page);
  await write(page, 3);
  await saveButton(page).click();
  await expect.poll(() => draftOf('kept')).toEqual(rule(3));
  // The button is disabled while the rule is being saved, too, and leaving asks until the page has the answer.
  await expect.poll(() => asksBeforeUnload(page)).toBe(false);
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await page.waitForURL('**/console/demo/players');
});

const forms: readonly (readonly [place: string, change: (page: Page) => Promise<void>])[] = [
  ['new-segment', (page) => page.getByLabel('Name').fill('Unsaved')],
  ['new-campaign', (page) => page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved')],
  ['messages/new-template', (page) => page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved')],
  ['settings/brand', (page) => page.getByLabel('Quarantine, days').fill('31')],
  ['settings/brands', (page) => page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved')],
  [
    'settings/channels/operator',
    (page) => page.getByRole('textbox', { name: 'URL for messages' }).fill('https://a.example'),
  ],
  ['compliance/contact-rules', (page) => page.getByRole('textbox', { name: 'Money (base currency)' }).fill('1500')],
];

test.for(forms)('%s asks before its changes are lost', async ([place, change], context) => {
  const page = await open(context);
  await visit(page, installation, place);
  await change(page);
  await expect.poll(() => asksBeforeUnload(page)).toBe(true);
  await leave(page);
});

test('two tabs with the contact rules keep the changes of each other, and the audit shows the former values', async (context) => {
  const tabs = await Promise.all([open(context), open(context)]);
  for (const page of tabs) await visit(page, installation, 'compliance/contact-rules');
  const save = async (page: Page) => {
    const button = page.getByRole('button', { name: 'Save', exact: true });
    await button.click();
    await page.getByText('Saved. The rules apply from the next contact.').waitFor();
    await expect.poll(() => button.isDisabled()).toBe(true);
    await expect.poll(() => asksBeforeUnload(page)).toBe(false);
  };
  const [first, second] = tabs;
  await first.getByLabel('Share of players, percent').fill('5');
  await save(first);
  await second.getByRole('textbox', { name: 'Money (base currency)' }).fill('1500');
  await save(second);
  type Audit = { items: { details: { before: object; after: object } }[] };
  const [rules, audit] = await Promise.all([
    callApi(installation, 'GET', '/brands/demo/contact-rules'),
    callApi<Audit>(installation, 'GET', '/brands/demo/audit?action=brand.contact_rules_changed'),
  ]);
  expect(rules).toMatchObject({ holdout: { percent: 5 }, campaign_approval: { money: '1500' } });
  expect(audit.items.map(({ details }) => details)).toEqual([
    { before: { campaign_approval: expect.anything() }, after: { campaign_approval: { players: 0, money: '1500' } } },
    { before: { holdout: { percent: 0 } }, after: { holdout: { percent: 5 } } },
  ]);
  // The first tab shows the change of the second one when the user returns to it.
  const moneyOnReturn = async () => {
    await first.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    return first.getByRole('textbox', { name: 'Money (base currency)' }).inputValue();
  };
  await expect.poll(moneyOnReturn).toBe('1500');
});

test('a dialog with a changed form asks before it closes', async (context) => {
  const page = await open(context);
  await visit(page, installation, 'integration/operator');
  const settings = page.getByRole('button', { name: /^(Set up the operator|Change settings)$/ });
  await settings.click();
  const address = page.getByRole('textbox', { name: 'Operator API URL', exact: true });
  const former = await address.inputValue();
  // Without changes, it closes immediately.
  await page.keyboard.press('Escape');
  await address.waitFor({ state: 'detached' });
  await settings.click();
  await address.fill('https://unsaved.example');
  await page.keyboard.press('Escape');
  await question(page).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await question(page).getByRole('button', { name: 'Stay' }).click();
  expect(await address.inputValue()).toBe('https://unsaved.example');
  await question(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await question(page).getByRole('button', { name: 'Leave without saving' }).click();
  await address.waitFor({ state: 'detached' });
  await settings.click();
  expect(await address.inputValue()).toBe(former);
});

test('a side panel with a changed form asks before it closes', async (context) => {
  const page = await open(context);
  await visit(page, installation, 'rewards/budgets');
  await page.getByRole('button', { name: 'New budget' }).click();
  const panel = page.getByRole('dialog', { name: 'New budget' });
  const name = panel.getByRole('textbox', { name: 'Name', exact: true });
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New budget' }).click();
  await name.fill('Unsaved');
  await page.keyboard.press('Escape');
  await question(page).getByRole('button', { name: 'Stay' }).click();
  await question(page).waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Unsaved');
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
  await question(page).getByRole('button', { name: 'Leave without saving' }).click();
  await panel.waitFor({ state: 'detached' });
});

/** Holds the calls that save something, as a slow network does. @returns a function that lets them continue */
async function holdSaves(page: Page, path: RegExp, method = 'PUT'): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return resolve;
}

test('a dialog stays open while its changes are being saved, so the result is shown and can be undone', async (context) => {
  interface Accounts {
    items: { email: string; grants: object[] }[];
  }
  const login = { email: 'slow@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'support' }] });
  const grants = async () =>
    (await callApi<Accounts>(installation, 'GET', '/accounts')).items.find(({ email }) => email === login.email)
      ?.grants;
  const page = await open(context);
  await visit(page, installation, 'settings/accounts');
  await page
    .getByRole('row', { name: /slow@example.com/ })
    .getByRole('button', { name: /^More/ })
    .click();
  await page.getByRole('menuitem', { name: 'Change roles' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roles of slow@example.com' });
  await dialog.getByRole('button', { name: 'Add a role' }).click();
  const save = await holdSaves(page, /\/grants$/);
  await dialog.getByRole('button', { name: 'Save the roles' }).click();
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  // The question would open after the key press.
  await page.evaluate('new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve)))');
  expect(await question(page).count()).toBe(0);
  expect(await dialog.isVisible()).toBe(true);
  save();
  await dialog.waitFor({ state: 'detached' });
  expect(await grants()).toHaveLength(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(grants).toEqual([{ brand: 'demo', role: 'support' }]);
});

test('the question does not let the user leave while the changes are being saved, and the requested page opens when they are saved', async (context) => {
  await newSegment('slow');
  const page = await open(context);
  await visit(page, installation, 'segments/slow?tab=rule');
  await showJson(page);
  await write(page, 4);
  const save = await holdSaves(page, /\/segments\/slow\b/);
  await saveButton(page).click();
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  const leaveButton = question(page).getByRole('button', { name: 'Leave without saving' });
  await leaveButton.waitFor();
  expect(await leaveButton.isDisabled()).toBe(true);
  save();
  await page.waitForURL('**/console/demo/players');
  await question(page).waitFor({ state: 'detached' });
  expect(await draftOf('slow')).toEqual(rule(4));
});

test('if a new object is created while the question is open, the requested page opens, and Back leads to the object', async (context) => {
  const page = await open(context);
  await visit(page, installation, 'new-campaign');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Slowly created');
  const save = await holdSaves(page, /\/campaigns$/, 'POST');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await question(page).waitFor();
  save();
  await page.waitForURL('**/console/demo/players');
  await question(page).waitFor({ state: 'detached' });
  await page.goBack();
  await page.waitForURL('**/console/demo/campaigns/slowly_created');
});

test('a deleted campaign does not ask about its unsaved changes', async (context) => {
  await createCampaign(installation, 'deleted', [{ id: 'mark', tag: 'seen' }]);
  const page = await open(context);
  await visit(page, installation, 'campaigns/deleted?view=document');
  const text = page.getByRole('textbox', { name: 'Document' });
  await text.fill((await text.inputValue()).replace('seen', 'unsaved'));
  await page.getByText('Unsaved changes').waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('deleted was deleted.').waitFor();
  await page.waitForURL('**/console/demo/campaigns');
  expect(await question(page).count()).toBe(0);
});

test('the question is in German, too', async (context) => {
  const page = await open(context, 'de-DE');
  await visit(page, installation, 'new-campaign');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ungespeichert');
  await page.getByRole('link', { name: 'Spieler', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Ohne Speichern verlassen?' });
  await dialog.getByText('Ihre Änderungen sind nicht gespeichert.').waitFor();
  await dialog.getByRole('button', { name: 'Hier bleiben' }).click();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Ungespeichert');
});
