import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { transaction } from '../../packages/platform/src/database/index.ts';
import { newsLock } from '../../packages/platform/src/segments/membership/news/store.ts';
import { failVersion } from '../../packages/platform/src/segments/membership/versions/store.ts';
import { accessibilityProblems, accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { callApi, complaintsOf, deposit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/* Changes of a segment on its page: its name, its list, its versions and their computation. */
const { installation, browser, pool } = await setupConsole();
const segments = '/brands/demo/segments';

beforeAll(async () => {
  for (const user_id of ['ann-1', 'ben-2']) await deposit(installation, user_id);
  for (const user_id of ['ann-1', 'ben-2'])
    await vi.waitFor(() => callApi(installation, 'GET', `/brands/demo/players/${user_id}`), { timeout: 20_000 });
});

const create = (code: string, name: string, content: object) =>
  callApi(installation, 'POST', segments, { code, name, ...content });
const read = <Body>(code: string, part = '') => callApi<Body>(installation, 'GET', `${segments}/${code}${part}`);
const change = (code: string, content: object) => callApi(installation, 'PUT', `${segments}/${code}`, content);

/** Publishes the draft, and waits until its members are computed. */
async function publish(code: string): Promise<void> {
  await callApi(installation, 'POST', `${segments}/${code}/publish`);
  await expect.poll(async () => (await read<{ state: string }>(code)).state, { timeout: 20_000 }).toBe('live');
}

/** Runs `work` while no computation begins. */
const whileNothingIsComputed = (work: () => Promise<void>) =>
  transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [newsLock]);
    await work();
  });

/** The numbers of players who would enter, on the page and in the dialog that confirms the publication. */
const entering = (page: Page, count: number) => page.getByText(`Players who enter: ${count}`);

test('a publication is confirmed with the numbers of the draft that is published, not of an earlier one', async (context) => {
  await create('confirmed', 'Confirmed', { user_ids: ['ann-1'] });
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/confirmed?tab=rule');
  await entering(page, 1).waitFor();
  await page.getByLabel('Start campaigns for players who enter or leave').check();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish the draft' });
  await dialog.getByText('Players who enter: 1. Players who leave: 0.').waitFor();

  // Another person saves another list. The draft keeps its version.
  await change('confirmed', { user_ids: ['ann-1', 'ben-2'] });
  await dialog.waitFor({ state: 'detached' });
  await entering(page, 2).waitFor();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await dialog.getByText('Players who enter: 2. Players who leave: 0.').waitFor();
  await dialog.getByRole('button', { name: 'Publish the draft' }).click();
  await page.getByText('live', { exact: true }).waitFor();
  expect(await read('confirmed')).toMatchObject({ version: 1, members: 2 });
  expect(complaints).toEqual([]);
});

test('a failed segment is recomputed on its page, and the computation of the version that replaces it can be cancelled', async (context) => {
  const rule = (value: number) => ({
    combinator: 'and',
    rules: [{ field: 'trait.deposit_count', operator: '>=', value }],
  });
  await create('failing', 'Failing', { rule: rule(1) });
  await publish('failing');
  const fail = async () => {
    const { rows } = await pool.query<{ version_id: number }>(
      `select version_id from segment_version join segment using (segment_id) where code = 'failing' and version = 1`,
    );
    await failVersion(pool, rows[0]?.version_id ?? 0, 'the field is gone');
  };
  await fail();
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/failing');
  await page.getByText('the field is gone').waitFor();
  const cancel = page.getByRole('button', { name: 'Cancel the computation' });
  await whileNothingIsComputed(async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Recompute' }).click();
    await page.getByText('Being computed: 0 %', { exact: false }).waitFor();
    // The page does not show 0 members, because their number is not known.
    await expect.poll(() => page.getByText('The members are being counted.').count()).toBe(2);
    expect(await page.getByText('0 members').count()).toBe(0);
    // The version was in force, so its computation cannot be cancelled.
    expect(await cancel.count()).toBe(0);
  });
  await page.getByText('live', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('The members are being counted.').count()).toBe(0);

  await fail();
  await change('failing', { rule: rule(2) });
  await whileNothingIsComputed(async () => {
    await callApi(installation, 'POST', `${segments}/failing/publish`);
    await cancel.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the computation' }).click();
    await cancel.waitFor({ state: 'detached' });
  });
  expect(await read('failing')).toMatchObject({ state: 'failed', version: 1, draft: { version: 2 } });
  expect(complaints).toEqual([]);
});

test('a computation is cancelled although there is a newer draft: the dialog and the notice say that the draft stays', async (context) => {
  await create('two-drafts', 'Two drafts', { user_ids: ['ann-1'] });
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await whileNothingIsComputed(async () => {
    await callApi(installation, 'POST', `${segments}/two-drafts/publish`);
    await change('two-drafts', { user_ids: ['ben-2'] });
    await visit(page, installation, 'segments/two-drafts');
    await page.getByRole('button', { name: 'Cancel the computation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the computation' });
    await dialog.getByText('The newer draft stays.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel the computation' }).click();
    await page.getByText('Cancelled. The version is past, and the newer draft stays.').waitFor();
  });
  const { items } = await read<{ items: { version: number; state: string }[] }>('two-drafts', '/versions');
  expect(items.map(({ version, state }) => [version, state])).toEqual([
    [2, 'draft'],
    [1, 'past'],
  ]);
  expect(complaints).toEqual([]);
});

test('a segment is renamed in a dialog that asks before it loses the new name, and Undo restores the former name', async (context) => {
  await create('named', 'Named badly', { user_ids: ['ann-1'] });
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/named');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await dialog.getByLabel('Name').fill('Named well');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Named well' }).waitFor();
  await page.getByText('The new name is “Named well”.').waitFor();
  expect(await read('named')).toMatchObject({ name: 'Named well' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Named badly' }).waitFor();
  expect(await read('named')).toMatchObject({ name: 'Named badly' });
  expect(complaints).toEqual([]);
});

test('a segment of a list gets a new list: other tabs keep it, and a list is not replaced unseen', async (context) => {
  await create('guests', 'Guests', { user_ids: ['ann-1'] });
  await publish('guests');
  const page = await browser.page(context, { viewport: { width: 1280, height: 1000 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/guests?tab=rule');
  const ids = page.getByLabel('Player ids');
  const save = page.getByRole('button', { name: 'Save as draft' });
  expect(await save.isDisabled()).toBe(true);
  await ids.fill('ben-2\nnobody-1');
  await page.getByText('2 different ids').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('link', { name: 'ann-1' }).waitFor();
  await page.getByRole('tab', { name: 'Rule' }).click();
  expect(await ids.inputValue()).toBe('ben-2\nnobody-1');
  await page.getByRole('link', { name: 'Messages and offers to the members' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();

  // Another person saves another list meanwhile.
  await change('guests', { user_ids: ['ann-1', 'ben-2'] });
  const notice = page.getByRole('alert').filter({ hasText: 'The segment has changed since you began' });
  await notice.waitFor();
  expect(await save.isDisabled()).toBe(true);
  await notice.getByRole('button', { name: 'Keep my list' }).click();
  await save.click();
  await page.getByText('nobody-1 (1)').waitFor();
  await entering(page, 1).waitFor();
  await page.getByText('Players who leave: 1').waitFor();
  expect(await ids.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('link', { name: 'ben-2' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'ann-1' }).count()).toBe(0);
  expect(await read('guests')).toMatchObject({ version: 2, state: 'live', members: 1 });
  expect(complaints).toEqual([]);
});

test('a draft includes excluded and blocked players if a person chooses it, for a rule and for a list; a viewer reads it', async (context) => {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
  await create('with-rule', 'With rule', { rule });
  await create('with-list', 'With list', { user_ids: ['ann-1'] });
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  const include = page.getByLabel('Excluded and blocked players may be members');
  const save = page.getByRole('button', { name: 'Save as draft' });
  for (const code of ['with-rule', 'with-list']) {
    await visit(page, installation, `segments/${code}?tab=rule`);
    await include.check();
    await save.click();
    await expect
      .poll(async () => (await read<{ draft: object }>(code)).draft)
      .toMatchObject({ version: 1, include_protected: true, ...(code === 'with-rule' && { rule }) });
    await expect.poll(() => save.isDisabled()).toBe(true);
  }
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByText('Excluded and blocked players may be members of this version.').waitFor();
  expect(complaints).toEqual([]);

  const login = { email: 'viewer@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'viewer' }] });
  const viewer = await browser.page(context);
  await signIn(viewer, installation, login);
  await visit(viewer, installation, 'segments/with-list?tab=rule');
  const shown = viewer.getByLabel('Excluded and blocked players may be members');
  expect(await shown.isChecked()).toBe(true);
  expect(await shown.isDisabled()).toBe(true);
  expect(await viewer.getByLabel('Player ids').count()).toBe(0);
  expect(await viewer.getByRole('button', { name: 'More', exact: true }).count()).toBe(0);
});

test('an earlier version becomes the draft, and Undo restores the former draft', async (context) => {
  const rule = (value: number) => ({
    combinator: 'and',
    rules: [{ field: 'trait.deposit_count', operator: '>=', value }],
  });
  await create('returned', 'Returned', { rule: rule(1) });
  await publish('returned');
  await change('returned', { rule: rule(2) });
  const ruleOfDraft = async () => (await read<{ draft: { rule: unknown } | null }>('returned')).draft?.rule;
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/returned?tab=versions');
  const restore = page.getByRole('button', { name: 'Use as draft: Version 1' });
  await restore.click();
  await page.getByText('The draft is now a copy of version 1.').waitFor();
  expect(await ruleOfDraft()).toEqual(rule(1));
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(ruleOfDraft).toEqual(rule(2));

  // The list of a draft is lost, so the user has to confirm.
  await change('returned', { user_ids: ['ann-1'] });
  await page.getByText('A list of 1 player.').waitFor();
  await restore.click();
  const dialog = page.getByRole('dialog', { name: 'Use as draft: Version 1' });
  await dialog.getByText('The list of the draft (version 2) is deleted.', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Use as draft' }).click();
  await expect.poll(ruleOfDraft).toEqual(rule(1));
  expect(complaints).toEqual([]);
});
