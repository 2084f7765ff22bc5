import { expect, test } from 'vitest';
import { emptyCampaign } from '../../packages/console/src/pages/campaign/draft/edits.ts';
import { accessibilityProblems, accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { picture } from '../site/picture.ts';
import { setupWithOperator } from './operator-setup.ts';
import { callApi, complaintsOf, signIn, visit } from './session.ts';

/* The pages of rewards: bonuses with their outcomes, budgets, and campaigns that wait for an approval. */
const { operator, installation, browser, newPlayer, orderBonus } = await setupWithOperator();

/** Lets the operator credit bonuses without an answer, so their outcome is unknown. */
const loseAnswers = () =>
  operator.dials.set('bonus_credit', {
    faults: [{ fault: 'reset', at: 'before_headers', when: 'after_effect', rate: 1 }],
  });

test('a bonus with an unknown outcome is resolved on one page, with its calls as evidence', async (context) => {
  loseAnswers();
  await newPlayer('bonus-1');
  const { intent_id } = await orderBonus('bonus-1');
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/rewards/intents?state=unknown`);
  await page
    .getByRole('row', { name: /bonus-1/ })
    .getByRole('link', { name: 'FREE10' })
    .click();
  await page.getByText('No answer.').first().waitFor();
  expect(page.url()).toContain(intent_id);
  await page.getByText('POST /bonus', { exact: false }).first().waitFor();
  await page.getByRole('radio', { name: 'It was credited' }).check();
  expect(await page.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true);
  await page.getByLabel('How you know').fill("Seen in the operator's back office");
  // The note is not lost without a question.
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('Resolved. The decision is in the audit.').waitFor();
  await page
    .getByRole('row', { name: /^State/ })
    .getByText('credited')
    .waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto(`${installation.url}/console/demo/settings/audit`);
  await page.getByRole('cell', { name: 'resolved a bonus' }).waitFor();
  expect(complaints).toEqual([]);
});

test('if another person settles the outcome meanwhile, the form says who did it, and keeps the typed note until it is dismissed', async (context) => {
  loseAnswers();
  await newPlayer('bonus-2');
  const { intent_id } = await orderBonus('bonus-2');
  const path = `/brands/demo/bonus-intents/${intent_id}`;
  const state = async () => (await callApi<{ intent: { state: string } }>(installation, 'GET', path)).intent.state;
  await expect.poll(state, { timeout: 20_000 }).toBe('unknown');
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, `rewards/intents/${intent_id}`);
  await page.getByRole('radio', { name: 'It was not credited; try again' }).check();
  await page.getByLabel('How you know').fill('The operator has no such bonus');
  await callApi(installation, 'POST', `${path}/resolve`, { outcome: 'credited', note: 'Asked the operator' });
  const notice = page.getByRole('alert').filter({ hasText: 'This was resolved in the meantime' });
  await notice.getByText('by: admin token (credited). You no longer need to resolve it.').waitFor();
  const note = page.getByLabel('Your note');
  expect(await note.inputValue()).toBe('The operator has no such bonus');
  expect(await note.isEditable()).toBe(false);
  expect(await page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Copy the note' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss the note' }).click();
  await note.waitFor({ state: 'detached' });
  expect(await notice.count()).toBe(0);
});

test('a budget limits a campaign that is chosen by its name', async (context) => {
  await callApi(installation, 'POST', '/brands/demo/campaigns', { ...emptyCampaign('spring_24', 'Spring offers') });
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);
  await visit(page, installation, 'rewards/budgets');
  await page.getByRole('button', { name: 'New budget' }).click();
  const panel = page.getByRole('dialog', { name: 'New budget' });
  await panel.getByLabel('Name').fill('Spring costs');
  await panel.getByRole('combobox', { name: 'Campaign' }).fill('spring');
  await page.getByRole('option', { name: 'Spring offers spring_24' }).click();
  const asked: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
  await panel.getByRole('button', { name: 'Create the budget' }).click();
  await panel.getByText('Enter an amount, a number of bonuses, or both.').waitFor();
  expect(asked).toEqual([]);
  await panel.getByLabel('At most (amount)').fill('5000');
  expect(await panel.getByText('Enter an amount').count()).toBe(0);
  await panel.getByRole('button', { name: 'Add a cost' }).click();
  await panel.getByRole('combobox', { name: 'Bonus code' }).fill('FREE10');
  await page.keyboard.press('Escape');
  await panel.getByRole('textbox', { name: 'Cost', exact: true }).fill('10');
  expect(await accessibilityProblems(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Create the budget' }).click();
  const row = page.getByRole('row', { name: /Spring costs/ });
  expect(await row.getByRole('link', { name: 'Spring offers' }).getAttribute('href')).toMatch(
    /\/campaigns\/spring_24$/,
  );
  // Amounts have their currency.
  await row.getByText('0 EUR of 5,000 EUR').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  type Listed = { items: { limit_amount: string; limit_count: number | null; bonus_values: object }[] };
  const stored = async () =>
    (await callApi<Listed>(installation, 'GET', '/brands/demo/budgets?activity_id=spring_24')).items[0];
  expect(await stored()).toMatchObject({ limit_amount: '5000', bonus_values: { FREE10: '10' } });

  // A changed limit applies immediately, and Undo restores the previous one.
  await row.getByRole('button', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Spring costs' });
  await editing.getByLabel('At most (amount)').fill('7500');
  await editing.getByLabel('At most (bonuses)').fill('20');
  await editing.getByRole('button', { name: 'Save' }).click();
  await row.getByText('0 EUR of 7,500 EUR').waitFor();
  await row.getByText('0 of 20').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('0 EUR of 5,000 EUR').waitFor();
  expect(await stored()).toMatchObject({ limit_amount: '5000', limit_count: null, bonus_values: { FREE10: '10' } });

  await row.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Show closed budgets').click();
  await row.getByText('closed').waitFor();
});

test('a budget per player shows the players who are at their limit', async (context) => {
  operator.dials.set('bonus_credit', { faults: [] });
  await newPlayer('limit-1');
  const { budget_id } = await callApi<{ budget_id: number }>(installation, 'POST', '/brands/demo/budgets', {
    name: 'One a week',
    scope: 'player',
    window_days: 7,
    limit_count: 1,
  });
  await orderBonus('limit-1');
  type Near = { items: { user_id: string }[] };
  const near = async () =>
    (await callApi<Near>(installation, 'GET', `/brands/demo/budgets/${budget_id}/players`)).items;
  await expect.poll(near, { timeout: 20_000 }).toMatchObject([{ user_id: 'limit-1', at_limit: true }]);
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);
  await visit(page, installation, 'rewards/budgets');
  await page.getByRole('button', { name: 'Players at the limit: One a week' }).click();
  const panel = page.getByRole('dialog', { name: 'Players at the limit: One a week' });
  await panel.getByText('at the limit', { exact: true }).waitFor();
  await panel.getByText('1 of 1').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await picture(page, 'budget-players');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await panel.getByRole('link', { name: 'limit-1' }).click();
  await page.getByRole('heading', { level: 2, name: 'limit-1' }).waitFor();
  await callApi(installation, 'DELETE', `/brands/demo/budgets/${budget_id}`);
});

test('an approval shows what the draft changes: its bonuses, the budget before and after, and each step', async (context) => {
  const campaign = (...steps: object[]) => ({ ...emptyCampaign('gift_24', 'Gifts'), steps });
  const money = (amount: string) => ({ id: 'money', credit_funds: { bonus_code: 'CASH', amount, currency: 'EUR' } });
  const offer = { id: 'claim', offer: { bonus_code: 'SPINS', expires_in: 'P3D' } };
  const path = '/brands/demo/campaigns';
  await callApi(installation, 'POST', '/brands/demo/budgets', {
    name: 'Gift costs',
    scope: 'campaign',
    activity_id: 'gift_24',
    limit_amount: '5000',
    bonus_values: { SPINS: '4.50' },
  });
  await callApi(installation, 'POST', path, campaign({ id: 'mark', tag: 'seen' }));
  await callApi(installation, 'POST', `${path}/gift_24/publish`, {});
  await callApi(installation, 'PUT', `${path}/gift_24`, campaign(money('10.25'), offer));
  await callApi(installation, 'POST', `${path}/gift_24/publish`, {});
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);
  await visit(page, installation, 'rewards/approvals');
  const request = page.getByRole('region', { name: 'Gifts: request' });
  await request.getByText('the cost of the bonuses of claim is unknown').waitFor();
  await request.getByText('Changes since version 1').waitFor();
  // The page shows every step that changed, and the terms of every bonus.
  await request.getByText('mark', { exact: true }).waitFor();
  expect(await request.getByText('removed', { exact: true }).count()).toBe(1);
  await request.getByText('10.25', { exact: true }).waitFor();
  await request.getByText('3 days', { exact: true }).waitFor();
  // The budget is read after the page is shown.
  await request.getByText('0 EUR of 5,000 EUR').waitFor();
  await request.getByText('Maximum cost of one run: 0 EUR 14.75 EUR').waitFor();
  for (const width of [390, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await accessibilityProblemsInBothSchemes(page), `${width} px`).toEqual([]);
    await picture(page, `approvals-${width}`);
  }
  await request.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('No campaign waits for approval.').waitFor();
  expect(await callApi(installation, 'GET', `${path}/gift_24`)).toMatchObject({ version: 2, draft: null });
});

test('after a second person rejected a draft, the page of the campaign shows who rejected it and why', async (context) => {
  const path = '/brands/demo/campaigns';
  const gift = { id: 'gift', credit: { bonus_code: 'FREE10' } };
  await callApi(installation, 'POST', path, { ...emptyCampaign('refused_24', 'Refused gifts'), steps: [gift] });
  await callApi(installation, 'POST', `${path}/refused_24/publish`, {});
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);
  await visit(page, installation, 'rewards/approvals');
  const request = page.getByRole('region', { name: 'Refused gifts: request' });
  await request.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject: Refused gifts' });
  expect(await dialog.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('The bonus is too high');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await request.waitFor({ state: 'detached' });
  await visit(page, installation, 'campaigns/refused_24');
  const notice = page.getByRole('alert').filter({ hasText: 'rejected the draft' });
  await notice.getByText('The bonus is too high').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await visit(page, installation, 'settings/audit');
  await page.getByRole('cell', { name: 'rejected a campaign' }).waitFor();
});

test('the author of a draft cannot decide about it, in Approvals and in the versions of the campaign', async (context) => {
  const path = '/brands/demo/campaigns';
  const draft = { ...emptyCampaign('own_24', 'Own gifts'), steps: [{ id: 'gift', credit: { bonus_code: 'FREE10' } }] };
  await callApi(installation, 'POST', path, { ...draft, steps: [] });
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);
  // The person in the browser writes the draft, and another person requests its publication.
  const written = await page.request.put(`${installation.url}/api/console/v1${path}/own_24`, {
    headers: { 'x-croupier-console': '1' },
    data: draft,
  });
  expect(written.status(), await written.text()).toBe(200);
  await callApi(installation, 'POST', `${path}/own_24/publish`, {});
  await visit(page, installation, 'rewards/approvals');
  const request = page.getByRole('region', { name: 'Own gifts: request' });
  await request.getByText('Another person must approve').waitFor();
  expect(await request.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  await visit(page, installation, 'campaigns/own_24?tab=versions');
  const version = page.getByRole('region', { name: 'Version 1' });
  await version.getByText('Another person must approve').waitFor();
  expect(await version.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  await callApi(installation, 'DELETE', `${path}/own_24`);
});

test('a draft that changes while a person decides about it is neither approved nor rejected unseen, and the reason of a rejection is kept', async (context) => {
  const path = '/brands/demo/campaigns/changing_24';
  const draft = (bonus_code: string) => ({
    ...emptyCampaign('changing_24', 'Changing gifts'),
    steps: [{ id: 'gift', credit: { bonus_code } }],
  });
  const ask = async (bonus_code: string) => {
    await callApi(installation, 'PUT', path, draft(bonus_code));
    await callApi(installation, 'POST', `${path}/publish`, {});
  };
  await callApi(installation, 'POST', '/brands/demo/campaigns', draft('FREE10'));
  await callApi(installation, 'POST', `${path}/publish`, {});
  const page = await browser.page(context, { viewport: { width: 1280, height: 800 } });
  await signIn(page, installation);

  // The versions of the campaign ask before they publish. The question closes when the draft changes.
  await visit(page, installation, 'campaigns/changing_24?tab=versions');
  const approve = page.getByRole('region', { name: 'Version 1' }).getByRole('button', { name: 'Approve' });
  const sure = page.getByRole('dialog', { name: 'Approve' });
  await approve.click();
  await sure.getByText('This publishes the draft').waitFor();
  await ask('FREE20');
  await sure.waitFor({ state: 'detached' });

  // The dialog with the reason stays, also when the request is no longer in the list.
  await visit(page, installation, 'rewards/approvals');
  const request = page.getByRole('region', { name: 'Changing gifts: request' });
  await request.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject: Changing gifts' });
  const reason = dialog.getByLabel('Reason');
  await reason.fill('The bonus is too high');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await callApi(installation, 'PUT', path, draft('FREE5'));
  await request.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await dialog.getByRole('alert').getByText('was changed after you read it').waitFor();
  expect(await reason.inputValue()).toBe('The bonus is too high');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await ask('FREE15');
  // A new load of the page, because a visit first shows the draft as it was read before, and the question closes when it changes.
  await page.goto(`${installation.url}/console/demo/campaigns/changing_24?tab=versions`);
  await approve.click();
  await sure.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Published.', { exact: true }).waitFor();
  expect(await callApi(installation, 'GET', path)).toMatchObject({ version: 1, draft: null });
});
