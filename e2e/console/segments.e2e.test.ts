import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { emptyCampaign } from '../../packages/console/src/pages/campaign/draft/edits.ts';
import { transaction } from '../../packages/platform/src/database/index.ts';
import { newsLock } from '../../packages/platform/src/segments/membership/news/store.ts';
import { accessibilityProblems } from '../site/accessibility.ts';
import { callApi, complaintsOf, deposit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/* Segments as a CRM manager creates them: with the builder, by mouse and by keyboard alone. */
const { installation, browser, pool } = await setupConsole();
beforeAll(async () => {
  await deposit(installation, 'ann-1');
  // Lists of players and tags need a known player.
  await vi.waitFor(() => callApi(installation, 'GET', '/brands/demo/players/ann-1'), { timeout: 20_000 });
});

/** Returns the segment's rule as stored by the platform. */
const ruleOf = async (code: string) =>
  (await callApi<{ draft: { rule: unknown } | null }>(installation, 'GET', `/brands/demo/segments/${code}`)).draft
    ?.rule;

const json = (page: Page) => page.getByLabel('Rule (JSON)');
const show = (page: Page, view: 'Builder' | 'JSON') =>
  page.getByRole('radiogroup', { name: 'View of the rule' }).getByText(view, { exact: true }).click();

test('a rule is built by mouse: fields, windows, a count with conditions, groups, dragging; errors are shown at their conditions', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 1000 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/new-segment`);
  await page.getByLabel('Name').fill('Depositors of this week');
  await page.getByLabel('Code').fill('depositors');
  const conditions = page.getByRole('group', { name: 'Condition', exact: true });
  const first = conditions.first();
  await first.getByRole('combobox', { name: 'Field' }).fill('deposit_sum');
  await page.getByRole('option', { name: 'trait.deposit_sum', exact: false }).first().click();
  await first.getByLabel('Window').selectOption('7d');
  await first.getByLabel('Value').fill('much');
  await first.getByText('must be a number').waitFor();
  await first.getByLabel('Value').fill('20');
  await first.getByText(/removes \d/).waitFor();
  // A count of facts, with a condition on a field of the fact.
  await page.getByRole('button', { name: 'Add condition' }).click();
  const second = conditions.nth(1);
  await second.getByRole('combobox', { name: 'Field' }).fill('did.payment');
  await page.getByRole('option', { name: 'did.payment' }).click();
  await second.getByLabel('Times').fill('1');
  await second.getByLabel('Length').fill('30');
  await second.getByRole('button', { name: 'Count only those where' }).click();
  await second.getByRole('combobox', { name: 'Field' }).nth(1).fill('status');
  await page.getByRole('option', { name: 'status', exact: false }).first().click();
  await second.getByLabel('Comparison').selectOption('in');
  await second.getByText(/removes \d/).waitFor();
  // A negated group.
  await page.getByRole('button', { name: 'Add group' }).last().click();
  const group = page.getByRole('group', { name: 'Group' }).last();
  await group.getByLabel('How the conditions combine').selectOption('notOr');
  await group.getByRole('combobox', { name: 'Field' }).fill('is_excluded');
  await page.getByRole('option', { name: 'profile.is_excluded' }).first().click();
  await page.getByText(/it is not true that/).waitFor();
  // The count of the new condition moves everything below it. So wait for the count before dragging.
  await group
    .getByText(/removes \d/)
    .first()
    .waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // A dragged condition is where it was dropped, and the JSON shows the same.
  await group.getByTitle('Drag to another place').last().dragTo(first);
  await show(page, 'JSON');
  const built = JSON.parse(await json(page).inputValue());
  expect(built).toMatchObject({
    combinator: 'and',
    rules: [
      { field: 'profile.is_excluded' },
      { field: 'trait.deposit_sum_7d', value: 20 },
      { field: 'did.payment', match: { mode: 'atLeast', threshold: 1 }, within: 'P30D', value: { combinator: 'and' } },
      { combinator: 'or', not: true, rules: [] },
    ],
  });
  // The opposite direction: a rule written as JSON appears in the builder.
  const rules = [{ field: 'trait.deposit_count', operator: 'between', value: [1, 5] }];
  await json(page).fill(JSON.stringify({ combinator: 'or', rules }));
  await show(page, 'Builder');
  await page.getByLabel('To', { exact: true }).fill('9');
  await page.getByText('is between 1 and 9').waitFor();
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('heading', { name: 'Depositors of this week' }).waitFor();
  expect(await ruleOf('depositors')).toEqual({
    combinator: 'or',
    rules: [{ field: 'trait.deposit_count', operator: 'between', value: [1, 9] }],
  });
  expect(complaints).toEqual([]);
});

/** Moves to a control with the Tab key, as a person without a mouse does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      "(() => { const e = document.activeElement; return e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent || ''; })()",
    );
    if (name.test(String(focused).trim())) return;
  }
  throw new Error(`the Tab key does not lead to ${name}`);
}

test('a segment is built and published by keyboard alone, and its members change when a player qualifies', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/new-segment`);
  await page.getByRole('combobox', { name: 'Field' }).waitFor();
  await tabTo(page, /^Name/);
  await page.keyboard.type('Twice or more');
  await tabTo(page, /^Code/);
  await page.keyboard.type('twice');
  await tabTo(page, /^Value$/);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('1');
  await tabTo(page, /^Add condition$/);
  await page.keyboard.press('Enter');
  // The focus moves to the field of the new condition.
  const added = page.getByRole('combobox', { name: 'Field' }).nth(1);
  await added.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('deposit_sum');
  await expect.poll(() => added.inputValue()).toBe('deposit_sum');
  await page.getByRole('option', { name: 'trait.deposit_sum', exact: false }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Value$/);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('20');
  await tabTo(page, /^Move up$/);
  await page.keyboard.press('Enter');
  await page
    .getByText(/removes \d/)
    .first()
    .waitFor();
  const submit = page.getByRole('button', { name: 'Save as draft' });
  await submit.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Twice or more' }).waitFor();
  expect(await ruleOf('twice')).toMatchObject({
    rules: [
      { field: 'trait.deposit_sum', value: 20 },
      { field: 'trait.deposit_count', value: 1 },
    ],
  });
  await page.getByRole('tab', { name: 'Rule' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Publish the draft' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Transitions' }).click();
  await deposit(installation, 'ann-4');
  await page.getByRole('link', { name: 'ann-4' }).waitFor();
  await page
    .getByRole('row', { name: /ann-4/ })
    .getByRole('link', { name: /event: payment/i })
    .click();
  await page.waitForURL(/\/integration\/inspector\/\d+-\d+-\d+/);
});

test('the builder searches segments and tags on the server, and shows the name of the chosen segment', async (context) => {
  const rule = { combinator: 'and', rules: [] };
  const winter = { code: 'zz-9', name: 'Winter guests', rule };
  await callApi(installation, 'POST', '/brands/demo/segments', winter);
  await callApi(installation, 'POST', '/brands/demo/tags', { user_id: 'ann-1', tag: 'ski', action: 'add' });
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await visit(page, installation, 'new-segment');
  const field = page.getByRole('combobox', { name: 'Field' });
  await field.fill('winter gu');
  const found = page.getByRole('option', { name: 'member of the segment Winter guests' });
  await found.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await found.click();
  await expect.poll(() => field.inputValue()).toBe('member of the segment Winter guests');
  await page.getByText('Players for whom member of the segment “Winter guests” is true.').waitFor();
  await field.fill('tag ski');
  await page.getByRole('option', { name: 'the tag ski' }).click();
  await page.getByText('Players for whom the tag ski is true.').waitFor();
  const lists = asked.filter((url) => /\/(?:rule-fields|segments|tags)\?/.test(url));
  expect(lists.filter((url) => !/memberships=false|limit=50|codes=/.test(url))).toEqual([]);
  expect(complaints).toEqual([]);

  const saved = { combinator: 'and', rules: [{ field: 'segment.zz-9', operator: '=', value: true }] };
  await callApi(installation, 'POST', '/brands/demo/segments', { code: 'of-winter', name: 'Of winter', rule: saved });
  await visit(page, installation, 'segments/of-winter?tab=rule');
  await expect.poll(() => field.inputValue()).toBe('member of the segment Winter guests');

  // Trying a player shows the condition and the value of the player in words.
  await page.getByLabel('Try a player').fill('ann-1');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await page.getByRole('row', { name: 'member of the segment “Winter guests” is true no no' }).waitFor();

  // The number of members leads to their list.
  await callApi(installation, 'POST', '/brands/demo/segments/zz-9/publish');
  await visit(page, installation, 'segments?name=zz-9');
  await page.getByRole('link', { name: /^\d+$/ }).click();
  await page.getByRole('heading', { name: 'Winter guests' }).waitFor();
  await page.getByRole('columnheader', { name: 'Member since' }).waitFor();

  // The page of a player has a heading for each of its tables of segments.
  await visit(page, installation, 'players/ann-1?tab=segments');
  for (const name of ['Member of', 'Transitions']) await page.getByRole('heading', { name, exact: true }).waitFor();

  // The list of segments shows the sentence, too.
  await visit(page, installation, 'segments?name=of-winter');
  await page.getByText('Players for whom member of the segment “Winter guests” is true.').waitFor();
});

test('when another person saves a rule, an unchanged editor shows it, and a changed editor offers both rules', async (context) => {
  const rule = (value: number) => ({
    combinator: 'and',
    rules: [{ field: 'trait.deposit_count', operator: '>=', value }],
  });
  const segment = { code: 'shared', name: 'Shared', rule: rule(1) };
  await callApi(installation, 'POST', '/brands/demo/segments', segment);
  const overtake = (value: number) =>
    callApi(installation, 'PUT', '/brands/demo/segments/shared', { rule: rule(value) });
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  await visit(page, installation, 'segments/shared?tab=rule');
  await show(page, 'JSON');
  const save = page.getByRole('button', { name: 'Save as draft' });
  const shown = async () => JSON.parse(await json(page).inputValue());
  const write = (value: number) => json(page).fill(JSON.stringify(rule(value), null, 2));
  await expect.poll(shown).toEqual(rule(1));
  await overtake(2);
  await expect.poll(shown).toEqual(rule(2));
  expect(await save.isDisabled()).toBe(true);

  await write(5);
  await overtake(3);
  const notice = page.getByRole('alert').filter({ hasText: 'Another person has saved changes' });
  await notice.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await shown()).toEqual(rule(5));
  expect(await save.isDisabled()).toBe(true);
  await notice.getByRole('button', { name: 'Keep my changes' }).click();
  await save.click();
  await expect.poll(() => ruleOf('shared')).toEqual(rule(5));
  await expect.poll(() => save.isDisabled()).toBe(true);
  expect(await notice.count()).toBe(0);

  await write(6);
  await overtake(7);
  await notice.getByRole('button', { name: 'Discard my changes' }).click();
  await expect.poll(shown).toEqual(rule(7));
  expect(await save.isDisabled()).toBe(true);
});

test('a bulk action of a deleted segment shows its code without a link', async (context) => {
  const segments = '/brands/demo/segments';
  await callApi(installation, 'POST', segments, { code: 'short-lived', name: 'Short', user_ids: ['ann-1'] });
  await callApi(installation, 'POST', `${segments}/short-lived/publish`);
  const members = async () =>
    (await callApi<{ members: number }>(installation, 'GET', `${segments}/short-lived`)).members;
  await expect.poll(members, { timeout: 20_000 }).toBe(1);
  const order = { channel: 'site', content: { event: 'inbox', title: 'Hello', message: 'Hello' } };
  const path = `${segments}/short-lived/messages`;
  const { action_id } = await callApi<{ action_id: number }>(installation, 'POST', path, order);
  const page = await browser.page(context);
  await signIn(page, installation);
  const action = `/brands/demo/bulk-actions/${action_id}`;
  await visit(page, installation, `messages/bulk-actions/${action_id}`);
  await page.getByRole('link', { name: 'Short', exact: true }).waitFor();

  // A segment cannot be deleted while the action is running.
  const state = async () => (await callApi<{ state: string }>(installation, 'GET', action)).state;
  await expect.poll(state, { timeout: 20_000 }).toBe('done');
  await callApi(installation, 'DELETE', `${segments}/short-lived`);
  await page.reload();
  await page.getByText('short-lived (deleted)', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'short-lived' }).count()).toBe(0);
});

test('a list is uploaded, frozen and compared; versions show their changes; a segment in use is not deleted', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 1000 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/new-segment`);
  await page.getByLabel('Name').fill('Invited');
  expect(await page.getByLabel('Code').inputValue()).toBe('invited');
  await page.getByText('A list of players', { exact: true }).click();
  const buffer = Buffer.from('user_id,since\nann-1,2026\nnobody-1,2026\nann-1,2026\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  await page.getByText('2 different ids').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByText('nobody-1 (1)').waitFor();
  await page.getByRole('tab', { name: 'Rule' }).click();
  const startsCampaigns = page.getByLabel('Start campaigns for players who enter or leave');
  await startsCampaigns.check();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await page.getByText('Players who enter: 1. Players who leave: 0.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await startsCampaigns.uncheck();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await page.getByText('live', { exact: true }).waitFor();

  // This segment has two versions and refers to the list. At the end, its members are frozen.
  const rule = (value: number) => ({
    combinator: 'and',
    rules: [
      { field: 'segment.invited', operator: '=', value: true },
      { field: 'trait.deposit_count', operator: '>=', value },
    ],
  });
  const segments = '/brands/demo/segments';
  await callApi(installation, 'POST', segments, { code: 'came', name: 'Came', rule: rule(0) });
  await callApi(installation, 'POST', `${segments}/came/publish`);
  await page.goto(`${installation.url}/console/demo/segments/came`);
  await page.getByText('live', { exact: true }).waitFor();
  await callApi(installation, 'PUT', `${segments}/came`, { rule: rule(1) });
  // Freezing replaces only a draft that the page has read.
  await page.reload();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByText('Formerly').waitFor();
  await page.getByText('What changed in the rule (JSON)').click();
  await page.locator('ins', { hasText: '"value": 1' }).waitFor();
  await page.locator('del', { hasText: '"value": 0' }).waitFor();
  await page.getByRole('tab', { name: 'Overlap' }).click();
  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option', { name: 'Invited' }).click();
  await page.getByText('Only in Invited').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Transitions' }).click();
  await page.getByText('The last 30 days').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Freeze' }).click();
  await page.getByRole('dialog').getByText('Replace the draft (version 2)').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
  await page.getByRole('tab', { name: 'Rule' }).click();
  await page.getByText('This segment is a fixed list of players.').waitFor();
  // The page shows where the segment is used. A segment that is used cannot be deleted.
  await page.goto(`${installation.url}/console/demo/segments/invited`);
  await page.getByRole('link', { name: 'Came', exact: true }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  expect(await page.getByRole('menuitem', { name: 'Delete' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Came', exact: true }).click();
  await page.getByRole('heading', { name: 'Came' }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Segments' }).waitFor();
  // The deleted segment is not listed: it has no row, and the list segment does not show it as a use.
  await expect.poll(() => page.getByRole('link', { name: 'Came', exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a draft is deleted immediately and Undo brings it back; on a phone the tabs take one line', async (context) => {
  const page = await browser.page(context, { viewport: { width: 390, height: 844 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 3 }] };
  await callApi(installation, 'POST', '/brands/demo/segments', { code: 'regulars', name: 'Regulars', rule });
  await visit(page, installation, 'segments/regulars');
  const tabs = page.getByRole('tab');
  await page.getByRole('button', { name: 'More sections' }).waitFor();
  expect(new Set(await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))).size).toBe(1);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('Regulars was deleted.').waitFor();
  await page.getByRole('heading', { name: 'Segments' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Regulars' }).waitFor();
  const back = await callApi<{ draft: { rule: unknown } }>(installation, 'GET', '/brands/demo/segments/regulars');
  expect(back.draft.rule).toEqual(rule);
  expect(complaints).toEqual([]);
});

test('a draft of a campaign is deleted immediately and Undo brings it back', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  const draft = { ...emptyCampaign('spring', 'Spring'), code: 'spring', name: 'Spring' };
  await callApi(installation, 'POST', '/brands/demo/campaigns', draft);
  const read = () => callApi<{ draft: { document: unknown } }>(installation, 'GET', '/brands/demo/campaigns/spring');
  const { document } = (await read()).draft;
  await visit(page, installation, 'campaigns/spring');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('Spring was deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Spring' }).waitFor();
  expect((await read()).draft.document).toEqual(document);
});

test('pausing a segment and restoring a version of a campaign run immediately, and Undo reverts them', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'segments?name=ROLLERS&state=live');
  await page.getByRole('link', { name: 'High rollers' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. Members do not change until you resume.').waitFor();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();

  const path = '/brands/demo/campaigns/birthday';
  interface Stored {
    document: { name: string };
    draft: { document: { name: string } } | null;
  }
  const { document } = await callApi<Stored>(installation, 'GET', path);
  await callApi(installation, 'PUT', path, { ...document, name: 'Birthday in spring' });
  const nameOfDraft = async () => (await callApi<Stored>(installation, 'GET', path)).draft?.document.name;
  await visit(page, installation, 'campaigns/birthday?tab=versions');
  await page.getByRole('button', { name: 'Use as draft' }).click();
  await expect.poll(nameOfDraft).toBe(document.name);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(nameOfDraft).toBe('Birthday in spring');
});

test('segments are read page by page while the user scrolls, and filtered by the platform', async (context) => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 3 }] };
  for (let n = 0; n < 60; n++) {
    const code = `zz_${String(n).padStart(2, '0')}`;
    await callApi(installation, 'POST', '/brands/demo/segments', { code, name: `ZZ many ${code}`, rule });
  }
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/demo/segments') && !url.searchParams.has('limit')) asked.push(url.search);
  });
  await visit(page, installation, 'segments');
  await page.getByText('50 rows loaded; more load while you scroll').waitFor();
  expect(await page.getByRole('link', { name: 'ZZ many zz_59' }).count()).toBe(0);
  expect(asked.some((search) => search.includes('cursor='))).toBe(false);
  await page.keyboard.press('End');
  await expect.poll(() => asked.some((search) => search.includes('cursor='))).toBe(true);
  await page.getByText(/^\d+ rows$/).waitFor();
  // The key scrolls to the end of the rows that are measured at that time. So the key is pressed until the last row is reached.
  const last = page.getByRole('link', { name: 'ZZ many zz_59' });
  await expect.poll(async () => page.keyboard.press('End').then(() => last.isVisible())).toBe(true);

  const name = page.getByRole('textbox', { name: 'Name or code contains' });
  await name.fill('ZZ_5');
  await name.press('Enter');
  await page.getByText('10 rows').waitFor();
  expect(new URL(page.url()).searchParams.get('name')).toBe('ZZ_5');
  expect(asked.at(-1)).toContain('name=ZZ_5');
  await page.reload();
  await page.getByText('10 rows').waitFor();
  await visit(page, installation, 'segments?name=ZZ_5&state=live');
  await page.getByText('No entry matches. Clear the filters.').waitFor();

  // The builder of a rule finds them all, and shows the first 50.
  await visit(page, installation, 'new-segment');
  await page.getByRole('combobox', { name: 'Field' }).fill('zz many');
  await page.getByText('Segments (first 50; type more to find others)').waitFor();
  expect(await page.getByRole('option', { name: 'ZZ many zz_59' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Field' }).fill('zz many zz_59');
  await page.getByRole('option', { name: 'ZZ many zz_59' }).waitFor();
  expect(complaints).toEqual([]);
});

test.for(['light', 'dark'] as const)('a button under the pointer is readable, %s', async (colorScheme, context) => {
  const page = await browser.page(context, { colorScheme });
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/segments/high_rollers`);
  for (const name of ['Pause', 'Export CSV', 'More']) {
    const button = page.getByRole(name === 'Export CSV' ? 'link' : 'button', { name });
    await button.hover();
    expect(await accessibilityProblems(page), name).toEqual([]);
  }
});

test('the computation of a new version is cancelled on the page of its segment', async (context) => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
  await callApi(installation, 'POST', '/brands/demo/segments', { code: 'stopped', name: 'Stopped', rule });
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await transaction(pool, async (tx) => {
    // No computation begins while this lock is held.
    await tx.query('select pg_advisory_xact_lock($1)', [newsLock]);
    await callApi(installation, 'POST', '/brands/demo/segments/stopped/publish');
    await visit(page, installation, 'segments/stopped');
    await page.getByText('Being computed: 0 %', { exact: false }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel the computation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the computation' });
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel the computation' }).click();
    await page.getByText('Cancelled. The version is a draft again.').waitFor();
    await page.getByText('Being computed: 0 %', { exact: false }).waitFor({ state: 'detached' });
  });
  expect(await callApi(installation, 'GET', '/brands/demo/segments/stopped')).toMatchObject({
    state: 'draft',
    progress: null,
  });
  expect(complaints).toEqual([]);
});
