import { expect, test } from 'vitest';
import { accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { picture } from '../site/picture.ts';
import { callApi, complaintsOf, createCampaign, deposit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/* What happened in a campaign: its scheduled starts, its runs, and its results. */
const { installation, browser } = await setupConsole();

test('only a campaign with a schedule lists its starts', async (context) => {
  await createCampaign(installation, 'nightly', [{ id: 'mark', tag: 'seen' }], {
    schedule: { every: 'P1D', at: '03:00' },
  });
  await createCampaign(installation, 'by_event', [{ id: 'mark', tag: 'seen' }], { event: 'payment' });
  const page = await browser.page(context, { locale: 'en-GB' });
  await signIn(page, installation);
  await visit(page, installation, 'campaigns/nightly?tab=runs');
  await page.getByRole('heading', { name: 'Scheduled starts' }).waitFor();
  await page.getByText('No scheduled start yet.').waitFor();
  await visit(page, installation, 'campaigns/by_event?tab=runs');
  await page.getByText('No player has entered yet.').waitFor();
  expect(await page.getByRole('heading', { name: 'Scheduled starts' }).count()).toBe(0);
});

test('a run has a page with its cause, steps, decisions and wait, which every list of runs links to', async (context) => {
  const code = 'followed';
  await callApi(installation, 'POST', '/brands/demo/templates', {
    code: 'followed_call',
    name: 'Followed call',
    channel: 'webhook',
    content: { en: { url: 'https://crm.example/hook', body: { says: 'Hello' } } },
  });
  await callApi(installation, 'POST', '/brands/demo/campaigns', {
    code,
    name: 'Followed',
    entry: { event: 'payment' },
    goal: { event: 'login', within: 'P7D' },
    steps: [
      { id: 'mark', tag: 'seen' },
      { id: 'call', webhook: { template: 'followed_call' } },
    ],
  });
  await createCampaign(installation, 'rested', [{ id: 'rest', wait: { for: 'P30D' } }], { event: 'payment' });
  await callApi(installation, 'POST', '/brands/demo/campaigns/rested/publish', {});
  await callApi(installation, 'POST', `/brands/demo/campaigns/${code}/publish`, {});
  await deposit(installation, 'followed-1');
  const page = await browser.page(context, { locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'players/followed-1?tab=runs');
  const link = page.getByRole('row', { name: /Followed/ }).getByRole('link', { name: /^Run \d+$/ });
  const title = (await link.textContent()) ?? '';
  await link.click();
  await page.getByRole('heading', { level: 2, name: title }).waitFor();
  const field = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  // The sandbox operator does not know the player, so the gate holds the call.
  await field('State').getByText('held').waitFor();
  await field('Waits for').getByText('another decision of the gate').waitFor();
  await field('Goal').getByText('login, within 7 days').waitFor();
  await field('Campaign').getByText('(Version 1)').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  const address = page.url();

  // Its effect links to its decision, and the decision links back to the run.
  await page
    .getByRole('row', { name: /^call/ })
    .getByRole('link', { name: /^Decisions?$/ })
    .click();
  await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  await page.getByRole('link', { name: 'step call' }).first().click();
  await page.getByRole('heading', { level: 2, name: title }).waitFor();
  expect(page.url()).toBe(address);

  // Its cause links to the event, and an effect of the event links back to the run.
  await field('Cause').getByRole('link', { name: 'event: payment' }).click();
  await page
    .getByRole('row', { name: /Followed.*entered/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { level: 2, name: title }).waitFor();

  // A run that waits shows what it waits for, and until when.
  await visit(page, installation, 'players/followed-1?tab=runs');
  await page
    .getByRole('row', { name: /rested/ })
    .getByRole('link', { name: /^Run/ })
    .click();
  await field('State').getByText('waiting').waitFor();
  await field('Waits for').getByText('the end of its wait').waitFor();
  await field('Continues at the latest').locator('time').waitFor();
  await field('Goal').getByText('The campaign has no goal.').waitFor();
  await page.getByRole('row', { name: /rest.*Wait: 30 days/ }).waitFor();

  // The list of runs of the campaign and the lists behind its results link to the run, too.
  await visit(page, installation, `campaigns/${code}?tab=runs`);
  await page.getByRole('link', { name: title }).waitFor();
  await visit(page, installation, `campaigns/${code}?tab=results`);
  await page
    .getByRole('button', { name: /Entered/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('link', { name: title }).waitFor();
  expect(complaints).toEqual([]);
});

test('results show days, intervals and the alarm of the sample ratio, and each number opens its list', async (context) => {
  const code = 'compared';
  await createCampaign(installation, code, [
    {
      id: 'test',
      split: [
        { name: 'nothing', share: 50, control: true },
        { name: 'mark', share: 50, steps: [{ id: 'mark', tag: 'seen' }] },
      ],
    },
  ]);
  const path = `/brands/demo/campaigns/${code}`;
  await callApi(installation, 'POST', `${path}/publish`, {});
  const players = ['arm-1', 'arm-2', 'arm-3'];
  for (const user_id of players) {
    await deposit(installation, user_id);
    const known = () => callApi(installation, 'GET', `/brands/demo/players/${user_id}`);
    await expect.poll(known, { timeout: 20_000 }).toMatchObject({ user_id });
    await callApi(installation, 'POST', `${path}/enter`, { user_id, key: user_id });
  }
  type Counted = { entered: number; done: number };
  await expect
    .poll(() => callApi<Counted>(installation, 'GET', `${path}/results`), { timeout: 20_000 })
    .toMatchObject({ entered: players.length, done: players.length });
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  // Three players are too few for an interval or an alarm, and a tag has no outcomes. So the test puts those of a large
  // campaign into the platform's answer.
  let isLarge = false;
  await page.route(`**/campaigns/${code}/results?*`, async (route) => {
    const answer = await route.fetch();
    type Arm = { control: boolean; measured: { sums: Record<string, { against_control: unknown }> } };
    type Results = {
      splits: { sample_ratio_mismatch: boolean; arms: Arm[] }[];
      versions: object[];
      effects: object[];
      costs: object[];
    };
    const results = (await answer.json()) as Results;
    if (isLarge) {
      const ofStep = { version: 1, step: 'mark' };
      results.effects = [{ ...results.versions[0], ...ofStep }];
      results.costs = [{ ...ofStep, granted: '5', turned_real: '0', funds: '0' }];
    }
    for (const split of isLarge ? results.splits : []) {
      split.sample_ratio_mismatch = true;
      for (const { control, measured } of split.arms)
        for (const sum of Object.values(measured.sums))
          sum.against_control = control ? null : { difference: 1.5, low: 0.5, high: 2.5 };
    }
    await route.fulfill({ response: answer, json: results });
  });
  await visit(page, installation, `campaigns/${code}?tab=results`);
  const compared = page.getByRole('region', { name: 'test, version 1' });
  await compared.getByText('A comparison needs at least 30 measured players in each arm.', { exact: false }).waitFor();
  expect(await compared.getByRole('alert').count()).toBe(0);
  await page.getByRole('img', { name: 'By day: The last 7 days' }).locator('.recharts-surface').first().waitFor();
  const total = page.getByRole('region', { name: 'Total' });
  await total.getByRole('button', { name: /^3\s*Done\s*100 % of entered$/ }).waitFor();
  await page.getByRole('img', { name: 'By day' }).locator('.recharts-bar-rectangle path').first().waitFor();
  await total.getByRole('button', { name: /^3\s*Entered$/ }).click();
  const list = page.getByRole('dialog');
  for (const user_id of players) await list.getByRole('link', { name: user_id }).waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });

  isLarge = true;
  await page.goto(`${installation.url}/console/demo/campaigns/${code}?tab=results`);
  await compared.getByText('The sizes of the arms do not match their shares.', { exact: false }).waitFor();
  await compared.getByRole('img', { name: 'mark: 1.5, 95 % interval 0.5 – 2.5' }).waitFor();
  for (const table of ['Effects by step', 'Cost of bonuses'])
    await page
      .getByRole('region', { name: table })
      .getByRole('cell', { name: /^Set a tag\s*mark$/ })
      .waitFor();
  await compared.getByText('As a table').click();
  await compared.getByRole('cell', { name: '0.5 – 2.5' }).waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await picture(page, 'results');
  expect(complaints).toEqual([]);
  // Wait for the answers that have not arrived yet, because the page is closed next.
  await page.unrouteAll({ behavior: 'wait' });
});
