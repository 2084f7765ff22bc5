import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { transaction } from '../../packages/platform/src/database/index.ts';
import { newsLock } from '../../packages/platform/src/segments/membership/news/store.ts';
import { failVersion } from '../../packages/platform/src/segments/membership/versions/store.ts';
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
    // The version was in force, so its computation cannot be cancelled.
    expect(await cancel.count()).toBe(0);
  });
  await page.getByText('live', { exact: true }).waitFor();

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
