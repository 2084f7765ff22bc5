import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { accessibilityProblems, accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { axeLoopMs, places } from './places.ts';
import { rawCodesOn } from './raw-codes.ts';
import { callApi, complaintsOf, deposit, expectToFit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * The console as an integrator uses it: from the first key to the first event, and from a refused event to an accepted one.
 */
const { installation, browser, pool } = await setupConsole();

async function publish(kind: string, event: unknown, key = installation.key): Promise<number> {
  const answer = await fetch(`${installation.url}/v2/integration/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(event),
  });
  return answer.status;
}

const login = (user_id: string) => ({
  user_id,
  timestamp: new Date().toISOString(),
  origin: 'casino.example',
  ip_address: '192.0.2.1',
});

test('first run: a key that is shown once, a first event in the inspector, and a green line in the checklist', async (context) => {
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  // An installation without an event leads from its first page to the keys.
  await page.getByRole('link', { name: 'Go to API keys' }).click();
  await page.getByLabel('Purpose of the key').fill('production feed');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByTestId('new-key').textContent())?.trim() ?? '';
  await page.getByRole('cell', { name: 'production feed' }).waitFor();
  // The command contains the key, and its event appears beside it, without a click or a reload.
  await page.getByText(/^Waiting for an event of the player test-\d+\./).waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  const command = (await page.getByTestId('first-call').textContent()) ?? '';
  expect(command).toContain(`'x-api-key: ${key}'`);
  // A call with a mistyped key is shown beside the command.
  const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  await promisify(execFile)('sh', ['-c', `${command.replace(key, mistyped)} --silent`]);
  const waiting = page.getByRole('status').filter({ hasText: 'Waiting for an event' });
  await waiting.getByText('A call was refused').waitFor();
  await waiting.getByText('It may also be a call of another system.').waitFor();
  await waiting.getByText('401 unknown API key').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  // The command writes whole seconds. At the end of a second, the event would count as a second late in the checklist.
  await expect.poll(() => Date.now() % 1_000, { interval: 20 }).toBeLessThan(300);
  await promisify(execFile)('sh', ['-c', `${command} --fail --silent`]);
  await page.getByText('Your first event has arrived').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Follow it in the event inspector' }).click();
  await page.getByRole('heading', { name: 'Effects for this player' }).waitFor();
  expect(await page.content()).not.toContain(key);

  expect(await publish('login', login('first-1'), key)).toBe(200);
  await page.getByRole('link', { name: 'Event inspector' }).first().click();
  await page.getByRole('cell', { name: 'first-1' }).waitFor();
  const refused = page.getByRole('status').filter({ hasText: 'Refused calls' });
  await refused.getByText('401 unknown API key').waitFor();
  await refused.getByText(/^1 call since \d/).waitFor();
  await page.getByRole('link', { name: 'login', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Effects for this player' }).waitFor();
  await page.getByText('POST /v2/integration/login').waitFor();
  await page.getByText('This event requested a look-up of the player.').waitFor();
  // The first login of the player: none before, one after.
  await page.getByRole('heading', { name: 'Traits before and after' }).waitFor();
  await page.getByRole('row', { name: /^Logins\s+0\s+1$/ }).waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Everything since this event' }).click();
  await page.waitForURL(/\/players\/first-1\?from=/);
  await page.getByRole('heading', { name: 'first-1' }).waitFor();
  await page.goBack();

  await page.getByRole('link', { name: 'Go-live checklist' }).click();
  const line = page.getByRole('row').filter({ hasText: /login/i }).filter({ hasText: 'done' });
  await line.first().waitFor();

  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await page
    .getByRole('row', { name: /production feed/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /production feed.*Revoked/ }).waitFor();
  await expect.poll(() => publish('login', login('first-1'), key)).toBe(401);
  expect(complaints).toEqual([]);
});

test('a refused event is corrected with its errors shown while typing, re-injected, and found in the inspector', async (context) => {
  const page = await browser.page(context);
  const { timestamp: _, ...broken } = login('mended-1');
  expect(await publish('login', broken)).toBe(400);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/integration/quarantine?state=open&user_id=mended-1`);
  await page.getByRole('link', { name: 'login', exact: true }).click();
  const editor = page.getByLabel('The event');
  await page.getByText('Still wrong').waitFor();
  expect(await page.getByRole('button', { name: 'Re-inject' }).isDisabled()).toBe(true);
  await editor.fill(JSON.stringify({ ...broken, timestamp: 'yesterday' }));
  await page.getByText('Still wrong').waitFor();
  await editor.fill(JSON.stringify(login('mended-1')));
  await page.getByText('This would be accepted.').waitFor();
  await page.getByRole('button', { name: 'Re-inject' }).click();
  await page.getByRole('cell', { name: 'accepted after a correction' }).waitFor();
  await page.getByRole('link', { name: 'Events of this player in the inspector' }).click();
  expect(page.url()).toContain('user_id=mended-1');
  await page.getByRole('cell', { name: 'mended-1' }).waitFor();
});

test('the page of a quarantined event reads and audits the body once, even if data changes and the stream ends several times', async (context) => {
  expect(await publish('login', { user_id: 'read-once' })).toBe(400);
  const page = await browser.page(context);
  await signIn(page, installation);
  let streams = 0;
  // Each stream reports changes, and ends. The browser then opens the next one.
  await page.route('**/api/console/v1/brands/demo/changes', async (route) => {
    streams++;
    const body = 'retry: 100\n\ndata: ["quarantine","overview"]\n\n';
    await route.fulfill({ contentType: 'text/event-stream', body });
  });
  const reads: string[] = [];
  page.on('request', (request) => /\/quarantine\/\d+$/.test(request.url()) && reads.push(request.url()));
  await page.goto(`${installation.url}/console/demo/integration/quarantine?user_id=read-once`);
  await page.getByRole('link', { name: 'login', exact: true }).click();
  await page.getByText('Still wrong').waitFor();
  const before = streams;
  await expect.poll(() => streams).toBeGreaterThan(before + 3);
  expect(reads).toHaveLength(1);
  const id = reads[0]?.split('/').at(-1);
  const { rowCount } = await pool.query('select from console_audit where action = $1 and subject = $2', [
    'quarantine.read',
    `quarantine ${id}`,
  ]);
  expect(rowCount).toBe(1);
});

test('a list of effects that is cut says so, and links to everything since the event', async (context) => {
  expect(await publish('login', login('cut-1'))).toBe(200);
  const page = await browser.page(context);
  await signIn(page, installation);
  await page.route('**/feed/*/effects', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), cut: true } });
  });
  await page.goto(`${installation.url}/console/demo/integration/inspector?user_id=cut-1`);
  await page.getByRole('link', { name: 'login', exact: true }).first().click();
  const notice = page.getByRole('status').filter({ hasText: 'This list may not be complete' });
  await notice.waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await notice.getByRole('link', { name: 'Everything since this event' }).click();
  await page.waitForURL(/\/players\/cut-1\?from=/);
});

test('a long list grows while a person scrolls, keeps its place when events arrive, and can be used by keyboard', async (context) => {
  const origin = 'long-list.example';
  const send = (n: number) => publish('login', { ...login(`long-${n}`), origin });
  for (let n = 0; n < 120; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => send(n + i)));
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/integration/inspector?origin=${origin}`);
  await page.getByText('50 rows loaded').waitFor();
  // Only rows near the window are on the page, and screen readers get their positions.
  const table = page.getByRole('table');
  await expect
    .poll(() =>
      page
        .getByText('120 rows', { exact: true })
        .count()
        .then(async (whole) => {
          await page.mouse.move(700, 600);
          await page.mouse.wheel(0, 3_000);
          return whole;
        }),
    )
    .toBe(1);
  expect(await table.getAttribute('aria-rowcount')).toBe('121');
  expect(await table.locator('tbody tr[aria-rowindex]').count()).toBeLessThan(70);

  // New events wait behind a button, and the row under the pointer stays where it is.
  const last = table.locator('tr[aria-rowindex="121"]');
  await last.click({ position: { x: 5, y: 5 } });
  expect(page.url()).toMatch(/row=\d+-\d+-\d+/);
  const before = await last.boundingBox();
  await send(120);
  const fresh = page.getByRole('button', { name: '1 new' });
  await fresh.waitFor();
  expect(await last.boundingBox()).toEqual(before);
  await fresh.click();
  await page.getByRole('cell', { name: 'long-120' }).waitFor();

  const line = (n: number) => table.locator(`tr[aria-rowindex="${n}"]`);
  await line(2).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-rowindex")')).toMatch(/^(?!3$)\d+$/);
  await page.keyboard.press('Home');
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-rowindex")')).toBe('2');
  await page.keyboard.press('Space');
  await page.locator('tr[aria-rowindex="2"][aria-current]').waitFor();
  // The address leads to the same row after a reload, and Enter opens it.
  await page.reload();
  const selected = page.locator('tr[aria-current]');
  await selected.getByText('long-120').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await selected.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Effects for this player' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a rebuild is started, shows its progress, and finds no difference', async (context) => {
  const page = await browser.page(context);
  expect(await publish('login', login('rebuilt-1'))).toBe(200);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/integration/rebuilds`);
  await page.getByRole('button', { name: 'Recompute' }).click();
  await page.getByRole('link', { name: 'the whole brand', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Rebuilds: the whole brand' }).waitFor();
  await page.getByText('No differences: the live state matches the events.').waitFor();
  await page.getByText('64 of 64 parts').waitFor();

  // A rebuild that replaces state asks for confirmation first.
  await page.getByRole('link', { name: 'All rebuilds' }).click();
  const asked: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
  await page.getByLabel('Replace differing state with the recomputed state').check();
  await page.getByRole('button', { name: 'Recompute' }).click();
  await page.getByText('You cannot undo this.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(asked).toEqual([]);
});

test('conflicts are filtered by kind, and the other list keeps the filter', async (context) => {
  await deposit(installation, 'contrary-1');
  await deposit(installation, 'contrary-1', 30);
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'integration/conflicts?list=conflicts&kind=login');
  await page.getByText('No entry matches. Clear the filters.').waitFor();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'payment', exact: true }).click();
  await page.getByRole('cell', { name: 'contrary-1' }).waitFor();
  await page.getByRole('tab', { name: 'Events without a counterpart' }).click();
  await page.waitForURL('**/integration/conflicts?kind=payment&list=orphans');
  expect(await page.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('payment');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL('**/integration/conflicts?list=orphans');
});

test('the former address of conflicts leads to them, and an unknown page keeps the menu', async (context) => {
  const page = await browser.page(context);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/integration/contradictions?list=orphans`);
  await page.getByRole('tab', { name: 'Events without a counterpart', selected: true }).waitFor();
  expect(page.url()).toContain('/integration/conflicts?list=orphans');
  await page.goto(`${installation.url}/console/demo/nowhere/at-all`);
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await page.getByRole('heading', { name: 'Players' }).waitFor();
});

test('axe finds nothing on any page of integration, dark and light, in German', {
  timeout: axeLoopMs,
}, async (context) => {
  const page = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE' });
  expect(await publish('login', login('seen-1'))).toBe(200);
  expect(await publish('login', { user_id: 'seen-2' })).toBe(400);
  await signIn(page, installation);
  type Feed = { items: { position: string }[] };
  type Quarantine = { items: { quarantine_id: number }[] };
  const first = async <List extends Feed | Quarantine>(path: string) => {
    const read = () => callApi<List>(installation, 'GET', `/brands/demo/${path}`);
    await expect.poll(async () => (await read()).items.length, { timeout: 20_000 }).toBeGreaterThan(0);
    return (await read()).items[0] as List['items'][number];
  };
  const [event, quarantined, rebuild] = await Promise.all([
    first<Feed>('feed'),
    first<Quarantine>('quarantine'),
    callApi<{ rebuild_id: number }>(installation, 'POST', '/brands/demo/rebuilds', {}),
  ]);
  const objects: Readonly<Record<string, string>> = {
    'integration/inspector/$position': `integration/inspector/${event.position}`,
    'integration/quarantine/$id': `integration/quarantine/${quarantined.quarantine_id}`,
    'integration/rebuilds/$id': `integration/rebuilds/${rebuild.rebuild_id}`,
  };
  for (const listed of places.integration) {
    const place = objects[listed] ?? listed;
    await visit(page, installation, place);
    if (listed === 'integration/quarantine/$id') await page.locator('textarea:not([aria-hidden])').waitFor();
    expect(await accessibilityProblemsInBothSchemes(page), place).toEqual([]);
    await expectToFit(page, place);
    expect(await rawCodesOn(page), place).toEqual([]);
  }
});
