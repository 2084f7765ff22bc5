import { expect, test } from 'vitest';
import { ailments } from '../site/ailments.ts';
import { callApi, complaintsOf, signIn } from './session.ts';
import { setupConsole } from './setup.ts';

/* Creating, changing and publishing campaigns in the console, in a real browser. */
const { installation, browser } = await setupConsole();

const campaign = (code: string) =>
  callApi<{ state: string; document: { steps: { id: string }[] } }>(
    installation,
    'GET',
    `/brands/demo/campaigns/${code}`,
  );

test('a campaign is created from a recipe, changed, undone, saved, checked and published', async (context) => {
  const page = await browser.page(context, { locale: 'en-GB' });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/campaigns`);
  await page.getByRole('link', { name: 'New campaign' }).click();
  await page.getByRole('combobox', { name: 'Begin with' }).click();
  await page.getByRole('option', { name: 'Big-win congratulation' }).click();
  await page.getByLabel('Code').fill('our_big_win');
  await page.getByRole('button', { name: 'Make the draft' }).click();
  await page.getByRole('heading', { level: 2, name: 'Big-win congratulation' }).waitFor();
  await page.getByRole('button', { name: 'Duplicate: mark' }).click();
  await page.getByRole('button', { name: 'Delete: mark_2' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Delete: mark_2' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByText('The draft is saved.').waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('Nothing is wrong. It can be published.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.', { exact: true }).waitFor();
  const { state, document } = await campaign('our_big_win');
  expect(state).toBe('live');
  expect(document.steps.map(({ id }) => id)).toEqual(['well_done', 'mark', 'mark_2']);
  expect(complaints).toEqual([]);
});

test('errors of a draft are shown at their step', async (context) => {
  await callApi(installation, 'POST', '/brands/demo/campaigns', {
    code: 'faulty',
    name: 'Faulty',
    entry: { api: true },
    steps: [{ id: 'hello', send: { channel: 'site', template: 'missing' } }],
  });
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/campaigns/faulty`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('/steps/0/send/template: the brand has no template missing').waitFor();
  await page.getByText('the brand has no template missing', { exact: true }).waitFor();
});

test.for(['light', 'dark'] as const)(
  'axe finds nothing on the pages that change campaigns, %s',
  async (colorScheme, context) => {
    const page = await browser.page(context, { colorScheme, locale: colorScheme === 'dark' ? 'de-DE' : 'en-GB' });
    await signIn(page, installation);
    for (const place of ['new-campaign', 'campaigns/reactivation']) {
      await page.goto(`${installation.url}/console/demo/${place}`);
      await page.getByRole('heading', { level: 2 }).waitFor();
      expect(await ailments(page), place).toEqual([]);
    }
  },
);
