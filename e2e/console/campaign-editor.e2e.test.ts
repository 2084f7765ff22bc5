import type { Page, Route } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { picture } from '../site/picture.ts';
import { axeLoopMs, places } from './places.ts';
import { callApi, complaintsOf, createCampaign, deposit, expectToFit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/* Creating, changing, trying and publishing campaigns in the console, in a real browser. */
const { installation, browser } = await setupConsole();

interface Step {
  id: string;
  wait?: { for: string };
  tag?: string;
}
const campaign = (code: string) =>
  callApi<{ state: string; document: { steps: Step[] } }>(installation, 'GET', `/brands/demo/campaigns/${code}`);

const open = (page: Page, place: string) => page.goto(`${installation.url}/console/demo/${place}`);

test('a recipe is changed in canvas, list and document, saved and published', async (context) => {
  const page = await browser.page(context, { locale: 'en-GB' });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await open(page, 'new-campaign');
  const recipe = page.getByRole('radio', { name: 'Big-win congratulation' });
  for (const words of ['Send a message', 'Set a tag']) await recipe.getByText(words).waitFor();
  await recipe.click();
  await page.getByLabel('Code').fill('our_big_win');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('heading', { level: 2, name: 'Big-win congratulation' }).waitFor();

  // On the canvas, copy a step, undo the copy and redo it.
  const step = (id: string) => page.locator(`[data-canvas="step ${id}"]`);
  await step('mark').click();
  await page.getByRole('button', { name: 'Duplicate: mark' }).click();
  await step('mark_2').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await step('mark_2').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Redo' }).click();

  // In the list, give the copy another tag.
  await page.getByText('List', { exact: true }).click();
  const card = page.getByRole('button', { name: /mark_2/, expanded: true });
  await card.waitFor();
  await page.getByRole('combobox', { name: 'Tag' }).fill('celebrated');

  // The document shows the change, and the canvas shows a change that is typed into the document.
  await page.getByText('Document', { exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Document' });
  const document = JSON.parse(await text.inputValue()) as { steps: Step[] };
  expect(document.steps.at(-1)).toEqual({ id: 'mark_2', tag: 'celebrated' });
  await text.fill(JSON.stringify({ ...document, steps: [...document.steps, { id: 'calm', wait: { for: 'PT2H' } }] }));
  await page.getByText('Canvas', { exact: true }).click();
  await step('calm').getByText('2 hours').waitFor();

  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Draft saved.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No problems found.').waitFor();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.', { exact: true }).waitFor();
  const { state, document: published } = await campaign('our_big_win');
  expect(state).toBe('live');
  expect(published.steps.map(({ id }) => id)).toEqual(['well_done', 'mark', 'mark_2', 'calm']);
  expect(complaints).toEqual([]);
});

test('the draft stays if an upgrade has removed the script of a view from the server', async (context) => {
  await createCampaign(installation, 'upgraded', [{ id: 'mark', tag: 'seen' }]);
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await page.route(/assets\/canvas-view-.*\.js/, (route) =>
    route.fulfill({ status: 404, contentType: 'application/json' }),
  );
  await open(page, 'campaigns/upgraded?view=document');
  const text = page.getByRole('textbox', { name: 'Document' });
  const changed = (await text.inputValue()).replace('seen', 'seen_twice');
  await text.fill(changed);
  await page.getByText('Canvas', { exact: true }).click();
  await page.getByRole('button', { name: 'Reload the page' }).waitFor();
  await page.getByText('Document', { exact: true }).click();
  expect(await text.inputValue()).toBe(changed);
});

test('the draft stays if a read fails, which the page reports; a save without an answer says what to do', async (context) => {
  await createCampaign(installation, 'patient', [{ id: 'mark', tag: 'seen' }]);
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await open(page, 'campaigns/patient?view=document');
  const text = page.getByRole('textbox', { name: 'Document' });
  const changed = (await text.inputValue()).replace('seen', 'seen_twice');
  await text.fill(changed);
  const call = /\/brands\/demo\/campaigns\/patient$/;
  const problem = { code: 'too_many_requests', title: 'Too many requests', detail: 'Slow down.' };
  let answer = (route: Route): Promise<void> => route.fulfill({ status: 429, json: problem });
  await page.route(call, (route) => answer(route));
  const notice = page.getByRole('status').filter({ hasText: 'This page shows the data of' });
  // The page reads its data again when its window gets the focus.
  await expect
    .poll(async () => {
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
      return notice.count();
    })
    .toBe(1);
  await notice.getByText('Slow down.').waitFor();
  expect(await text.inputValue()).toBe(changed);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);

  // The page also reads again when a campaign changes. That read must not succeed before the click.
  const clicked = Promise.withResolvers<void>();
  answer = async (route) => {
    await clicked.promise;
    // A read that the click cancelled cannot be continued.
    await route.continue().catch(() => {});
  };
  const readAgain = page.waitForRequest(call);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await readAgain;
  clicked.resolve();
  await notice.waitFor({ state: 'detached' });
  expect(await text.inputValue()).toBe(changed);
  await page.route(call, (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page
    .getByText('Croupier does not answer. Check your connection, and whether Croupier is running.')
    .first()
    .waitFor();
  expect(await text.inputValue()).toBe(changed);
});

test('an error of a draft is shown at its step, and a click on it opens the step', async (context) => {
  await createCampaign(installation, 'faulty', [{ id: 'hello', send: { channel: 'site', template: 'missing' } }]);
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await open(page, 'campaigns/faulty');
  await page.getByRole('button', { name: '1 problem' }).click();
  await page.getByRole('button', { name: 'the brand has no template missing /steps/0' }).click();
  const panel = page.getByRole('region', { name: 'Send a message' });
  await panel.getByText('the brand has no template missing').waitFor();
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
});

test('German counts stay inside their card on the canvas', async (context) => {
  await createCampaign(installation, 'counted', [{ id: 'hello', send: { channel: 'site', template: 'welcome' } }]);
  const page = await browser.page(context, { locale: 'de-DE' });
  await signIn(page, installation);
  const counts = { waiting: 1234, held: 40, withheld: 1100, done: 3000, held_by: [], withheld_by: [], arms: [] };
  await page.route(/\/campaigns\/counted\/steps/, (route) =>
    route.fulfill({ json: { items: [{ step: 'hello', version: 1, ...counts }] } }),
  );
  await open(page, 'campaigns/counted');
  const rightOf = async (selector: string) =>
    Math.max(
      ...(await page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))),
    );
  await page.getByRole('button', { name: 'hello: 3.000 fertig' }).waitFor();
  expect(await rightOf('.canvas-counts .count')).toBeLessThanOrEqual(await rightOf('[data-canvas="step hello"]'));
});

test('a scenario shows the path of a player, and a slider goes back in time', async (context) => {
  await createCampaign(installation, 'gentle', [
    { id: 'pause', wait: { for: 'PT1H' } },
    { id: 'mark', tag: 'gentle' },
  ]);
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await open(page, 'campaigns/gentle?tab=try');
  await page.getByRole('button', { name: 'Run scenario' }).click();
  const slider = page.getByRole('slider', { name: 'Time' });
  await slider.waitFor();
  const mark = page.getByRole('cell', { name: 'mark', exact: true });
  await mark.waitFor();
  await slider.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await mark.waitFor({ state: 'detached' });
  await page.keyboard.press('End');
  await mark.waitFor();
});

test('the keyboard alone creates, changes, tries and publishes a campaign', async (context) => {
  await deposit(installation, 'keys-1');
  await vi.waitFor(() => callApi(installation, 'GET', '/brands/demo/players/keys-1'), { timeout: 20_000 });
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await open(page, 'new-campaign');
  const { keyboard } = page;
  /** Presses Tab until the element has the focus, as a person does. Fails after 60 times, because no page has that many elements. */
  const tabTo = async (selector: string, text = '', key = 'Tab') => {
    const isThere = `(({ activeElement: one }) =>
      one?.matches(${JSON.stringify(selector)}) && one.textContent.includes(${JSON.stringify(text)}))(document)`;
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (await page.evaluate(isThere)) return;
      await keyboard.press(key);
    }
    throw new Error(`${key} does not lead to ${selector} ${text}`);
  };
  await page.getByRole('radio').first().waitFor();
  await tabTo('input[name="name"]');
  await keyboard.type('By keys');
  await tabTo('input[name="code"]');
  await keyboard.type('by_keys');
  await keyboard.press('Enter');
  await page.locator('[data-canvas="entry"]').waitFor();

  // The key + opens a menu that inserts a step after the focused one. Choose the second kind.
  await tabTo('[data-canvas="entry"]');
  await keyboard.press('+');
  await page.getByRole('menuitem', { name: /^Wait/ }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.locator('[data-canvas="step wait"]:focus').waitFor();
  // Enter moves the focus to the form of the step, and Escape moves it back.
  await keyboard.press('Enter');
  await page.locator('.canvas-panel h3:focus').waitFor();
  await keyboard.press('Escape');
  await page.locator('[data-canvas="step wait"]:focus').waitFor();
  await keyboard.press('Control+d');
  await page.locator('[data-canvas="step wait_2"]:focus').waitFor();
  await keyboard.press('Control+s');
  await page.getByText('Draft saved.').waitFor();

  // A scenario: its slider goes back in time. Then a dry run of a real player.
  await tabTo('[role=tab]', 'Campaign', 'Shift+Tab');
  await keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Run scenario' }).waitFor();
  await tabTo('button', 'Run scenario');
  await keyboard.press('Enter');
  const waits = page.getByRole('cell', { name: 'wait_2', exact: true });
  await waits.first().waitFor();
  await tabTo('[role=slider]');
  await keyboard.press('Home');
  await waits.first().waitFor({ state: 'detached' });
  await keyboard.press('End');
  await waits.first().waitFor();
  await tabTo('input[type=radio]', '', 'Shift+Tab');
  await keyboard.press('ArrowRight');
  await page.getByRole('textbox', { name: 'Player id' }).waitFor();
  await tabTo('input[name="user_id"]');
  await keyboard.type('keys-1');
  await keyboard.press('Enter');
  await page.getByRole('row', { name: /keys-1.*enters/i }).waitFor();
  await tabTo('[role=tab]', 'Try it', 'Shift+Tab');
  await keyboard.press('ArrowLeft');
  await page.locator('[data-canvas="entry"]').waitFor();
  await tabTo('[data-publish]');
  await keyboard.press('Enter');
  await page.getByRole('dialog').getByText('No problems found.').waitFor();
  await tabTo('[role=dialog] [data-publish]:not(:disabled)');
  await keyboard.press('Enter');
  await page.getByText('Published.', { exact: true }).waitFor();
  const { state, document } = await campaign('by_keys');
  expect(state).toBe('live');
  expect(document.steps).toEqual([
    { id: 'wait', wait: { for: 'PT1H' } },
    { id: 'wait_2', wait: { for: 'PT1H' } },
  ]);
});

test('a backtest shows its counts, days and players, and a forecast follows from it', async (context) => {
  const code = 'tested';
  await createCampaign(installation, code, [{ id: 'mark', tag: 'seen' }], { event: 'payment' });
  await deposit(installation, 'tested-1');
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, `campaigns/${code}?tab=try&try=forecast`);
  await page.getByText('A forecast needs 14 days of runs', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Go to backtests' }).click();
  await page.getByRole('button', { name: 'Start backtest' }).click();
  const entries = page.getByRole('button', { name: /^[1-9]\d*\s*Entries$/ });
  await entries.waitFor({ timeout: 30_000 });
  await page.getByText('done', { exact: true }).first().waitFor();
  await page.getByRole('img', { name: 'Backtest: By day' }).locator('.recharts-surface').first().waitFor();
  await entries.click();
  const list = page.getByRole('dialog', { name: 'Players: Entries' });
  await list.getByRole('link', { name: 'tested-1' }).waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await picture(page, 'backtest');

  await visit(page, installation, `campaigns/${code}?tab=try&try=forecast`);
  const shown = page.getByRole('region', { name: 'Entries' });
  await shown.getByText(/^Total: \d+.* expected, \d+.* to \d+/).waitFor();
  await shown.getByRole('img').locator('.recharts-surface').first().waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await picture(page, 'forecast');
  // The forecast proposes a limit, which a person only confirms. The limit does not change the forecast.
  await visit(page, installation, `campaigns/${code}`);
  await page.locator('[data-canvas=rules]').click();
  await page.getByRole('checkbox', { name: 'Pause the campaign above these limits' }).check();
  await page.getByRole('button', { name: 'Halt above 50 entries a day' }).click();
  expect(await page.getByRole('textbox', { name: 'Entries per day' }).inputValue()).toBe('50');
  await picture(page, 'proposed-limit');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Draft saved.').waitFor();
  await visit(page, installation, `campaigns/${code}?tab=try&try=forecast`);
  await shown.waitFor();
  // The forecast of an earlier draft is not shown.
  const change = (tag: string) => {
    const changed = { code, name: code, entry: { event: 'payment' }, steps: [{ id: 'mark', tag }] };
    return callApi(installation, 'PUT', `/brands/demo/campaigns/${code}`, changed);
  };
  await change('another');
  await page.getByText('A forecast needs 14 days of runs', { exact: false }).waitFor();
  expect(await shown.count()).toBe(0);
  // Nor is its dry run.
  await visit(page, installation, `campaigns/${code}?tab=try&try=dry-run`);
  await page.getByRole('textbox', { name: 'Player id' }).fill('tested-1');
  await page.getByRole('button', { name: 'Try this player' }).click();
  const tried = page.getByRole('row', { name: /tested-1/ });
  await tried.waitFor();
  await change('third');
  await tried.waitFor({ state: 'detached' });
  // The first and the last forecast were refused with 409, because their drafts had no backtest.
  expect(complaints.filter((one) => !one.endsWith('/forecast'))).toEqual([]);
});

test('axe finds nothing on the pages of campaigns, dark and light, in German', {
  timeout: axeLoopMs,
}, async (context) => {
  const code = 'seen';
  await createCampaign(
    installation,
    code,
    [
      { id: 'who', branch: [{ when: { combinator: 'and', rules: [] }, steps: [] }, { otherwise: [] }] },
      {
        id: 'test',
        split: [
          { name: 'control', share: 50, control: true },
          { name: 'a', share: 50, steps: [{ id: 'mark', tag: 'seen' }] },
        ],
      },
      { id: 'pause', wait: { for: 'P30D' } },
    ],
    { event: 'payment' },
  );
  await callApi(installation, 'POST', `/brands/demo/campaigns/${code}/publish`, {});
  await deposit(installation, 'seen');
  const viewport = { width: 1280, height: 900 };
  const page = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE', viewport });
  await signIn(page, installation);
  // Times of another day are shown with their date.
  await page.clock.setSystemTime(Date.now() + 2 * 86_400_000);
  type Runs = { items: { run_id: number }[] };
  const runs = () => callApi<Runs>(installation, 'GET', `/brands/demo/campaigns/${code}/runs`);
  await expect.poll(async () => (await runs()).items.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const run = (await runs()).items[0]?.run_id;
  // The pages, each with an element that it shows when it is complete.
  const complete: Readonly<Record<(typeof places.campaigns)[number], string>> = {
    campaigns: '.list-row',
    'new-campaign': 'input[name=code]',
    'campaigns/$code': '[data-canvas="step pause"]',
    'campaigns/$code?view=list': '.step-card',
    'campaigns/$code?view=document': 'textarea',
    'campaigns/$code?tab=try': '.mantine-Card-root',
    'campaigns/$code?tab=try&try=dry-run': 'form',
    'campaigns/$code?tab=try&try=backtest': 'form',
    'campaigns/$code?tab=try&try=forecast': '.mantine-Alert-root',
    'campaigns/$code?tab=results': '.recharts-surface',
    'campaigns/$code?tab=runs': '.list-row',
    'campaigns/$code?tab=versions': '.mantine-Card-root',
    'runs/$id': '.mantine-Card-root',
  };
  for (const listed of places.campaigns) {
    const place = listed.replace('$code', code).replace('$id', String(run));
    await open(page, place);
    await page.locator(`main ${complete[listed]}`).first().waitFor();
    expect(await accessibilityProblemsInBothSchemes(page), place).toEqual([]);
    await expectToFit(page, place);
  }
});
