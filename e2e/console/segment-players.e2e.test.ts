import { beforeAll, expect, test, vi } from 'vitest';
import { accessibilityProblems } from '../site/accessibility.ts';
import { callApi, complaintsOf, deposit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/* The numbers of a segment, and the players behind them. */
const { installation, browser } = await setupConsole();
const segments = '/brands/demo/segments';

beforeAll(async () => {
  for (const user_id of ['ann-1', 'ben-2']) await deposit(installation, user_id);
  for (const user_id of ['ann-1', 'ben-2'])
    await vi.waitFor(() => callApi(installation, 'GET', `/brands/demo/players/${user_id}`), { timeout: 20_000 });
});

/** Creates a segment from a list, and waits until its members are computed. */
async function make(code: string, name: string, user_ids: string[]): Promise<void> {
  await callApi(installation, 'POST', segments, { code, name, user_ids });
  await publish(code);
}

/** Publishes the draft of a segment, and waits until its members are computed. */
async function publish(code: string): Promise<void> {
  await callApi(installation, 'POST', `${segments}/${code}/publish`);
  const state = async () => (await callApi<{ state: string }>(installation, 'GET', `${segments}/${code}`)).state;
  await expect.poll(state, { timeout: 20_000 }).toBe('live');
}

test('a draft shows who would enter, leave and stay, and the file has all of them', async (context) => {
  await make('invited', 'Invited', ['ann-1']);
  await callApi(installation, 'PUT', `${segments}/invited`, { user_ids: ['ben-2'] });
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/invited?tab=rule');
  await page.getByText('Players who enter: 1').waitFor();
  await page.getByRole('link', { name: 'ann-1' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const file = page.getByRole('link', { name: 'Export the players who enter or leave (CSV)' });
  const answer = await page.request.get(new URL((await file.getAttribute('href')) ?? '', page.url()).href);
  expect(await answer.text()).toBe('user_id,change\r\nann-1,leaves\r\nben-2,enters\r\n');
  await page.getByRole('link', { name: 'ben-2' }).click();
  await page.getByRole('heading', { name: 'ben-2' }).waitFor();
  expect(complaints).toEqual([]);
});

test('the builder of a rule links to some of the players that it counts, and stays open', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'new-segment');
  await page.getByLabel('Name').fill('Not saved');
  const link = page.getByRole('link', { name: 'ann-1' });
  await link.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const opened = page.waitForEvent('popup');
  await link.click();
  await (await opened).getByRole('heading', { name: 'ann-1' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Not saved');
});

test('each number of an overlap links to its players; the address shows the same list again', async (context) => {
  await make('early', 'Early', ['ann-1', 'ben-2']);
  await make('late', 'Late', ['ben-2']);
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/early?tab=overlap');
  await page.getByText('Choose another segment to see how many players are in both segments').waitFor();
  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option', { name: 'Late' }).click();
  await page.getByRole('link', { name: 'In both: 1' }).click();
  const players = page.getByRole('table').getByRole('link');
  await expect.poll(() => players.allTextContents()).toEqual(['ben-2']);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Only in Early: 1' }).click();
  await expect.poll(() => players.allTextContents()).toEqual(['ann-1']);
  await page.reload();
  await expect.poll(() => players.allTextContents()).toEqual(['ann-1']);
  await page.getByRole('link', { name: 'Only in Late: 0' }).click();
  await page.getByText('There is no such player.').waitFor();
  expect(complaints).toEqual([]);
});

test('the members of a segment are listed with their name and country', async (context) => {
  await make('named', 'Named', ['ann-1']);
  const page = await browser.page(context);
  await signIn(page, installation);
  // The operator of this test has no details of its players.
  await page.route('**/segments/named/members*', async (route) => {
    const answer = await route.fetch();
    const { items, ...rest } = (await answer.json()) as { items: object[] };
    const named = items.map((item) => ({ ...item, first_name: 'Ann', last_name: 'Berg', country: 'MT' }));
    await route.fulfill({ response: answer, json: { ...rest, items: named } });
  });
  await visit(page, installation, 'segments/named?tab=members');
  await page.getByRole('row', { name: /^ann-1\s*Ann Berg\s*Malta/ }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.unrouteAll({ behavior: 'wait' });
});

test('the page of a segment shows the progress of its computation, and says that a person can leave the page', async (context) => {
  await make('slow', 'Slow', ['ann-1']);
  const page = await browser.page(context);
  await signIn(page, installation);
  await page.route('**/brands/demo/segments/slow', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), progress: 0.424, slowed: true } });
  });
  await visit(page, installation, 'segments/slow');
  await page.getByText('Being computed: 42 %.').waitFor();
  await page.getByText('You can leave this page.').waitFor();
  await page.getByText('The computation runs slower').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the reason of a transition names the version of the rule, or the tag and who set it', async (context) => {
  const setTag = (user_id: string) =>
    callApi(installation, 'POST', '/brands/demo/tags', { user_id, tag: 'skier', action: 'add' });
  const ruleOf = (value: boolean) => ({
    combinator: 'and',
    rules: [{ field: 'tag.skier', operator: '=', value }],
  });
  type Transitions = { items: { user_id: string }[] };
  const changed = async () =>
    (await callApi<Transitions>(installation, 'GET', `${segments}/skiers/transitions`)).items.map(
      ({ user_id }) => user_id,
    );
  await setTag('ben-2');
  await callApi(installation, 'POST', segments, { code: 'skiers', name: 'Skiers', rule: ruleOf(true) });
  await publish('skiers');
  await setTag('ann-1');
  await expect.poll(changed, { timeout: 20_000 }).toEqual(['ann-1']);
  // With the next version, both players leave.
  await callApi(installation, 'PUT', `${segments}/skiers`, { rule: ruleOf(false) });
  await publish('skiers');
  await expect.poll(changed, { timeout: 20_000 }).toContain('ben-2');
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'segments/skiers?tab=transitions');
  await page.getByRole('row', { name: /ben-2.*rule changed: Version 2/ }).waitFor();
  await page.getByRole('row', { name: /ann-1.*tag: skier \(admin token\)/ }).waitFor();
});

test('the inspector lists the events received in a range of days, which is in the address', async (context) => {
  const page = await browser.page(context, { locale: 'en-US', timezoneId: 'Europe/Malta' });
  await signIn(page, installation);
  await visit(page, installation, 'integration/inspector');
  const ofAnn = page.getByRole('cell', { name: 'ann-1' });
  await ofAnn.first().waitFor();
  const from = page.getByRole('textbox', { name: 'Received from', exact: true });
  await from.fill('01/01/2050');
  await from.press('Enter');
  await page.getByText('No event matches. Clear the filters').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('2049-12-31T23:00:00.000Z');
  await page.reload();
  await page.getByText('No event matches. Clear the filters').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await from.fill('');
  await from.press('Enter');
  await ofAnn.first().waitFor();
  const to = page.getByRole('textbox', { name: 'Received to', exact: true });
  await to.fill('01/01/2020');
  await to.press('Enter');
  await page.getByText('No event matches. Clear the filters').waitFor();
});

test('an import of events that are too old shows how many are imported and how many remain', async (context) => {
  const answer = await fetch(`${installation.url}/v2/integration/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': installation.key },
    body: JSON.stringify({ user_id: 'ann-1', timestamp: '2020-01-01T00:00:00Z', origin: 'casino.example' }),
  });
  expect(answer.status).toBeLessThan(300);
  const tooOld = async () =>
    (await callApi<{ items: unknown[] }>(installation, 'GET', '/brands/demo/too-old')).items.length;
  await expect.poll(tooOld, { timeout: 20_000 }).toBe(1);
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'integration/parked?list=too-old');
  await page.getByRole('button', { name: 'Import all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import all' }).click();
  const status = page.getByRole('status').filter({ hasText: 'Events that are being imported: 1.' });
  await status.getByText('Events that remain in this list: 0.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Show the events that are not applied yet' }).click();
  await page.getByRole('tab', { name: 'Parked', selected: true }).waitFor();
});
