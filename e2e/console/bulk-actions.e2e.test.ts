import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { setupWithOperator } from './operator-setup.ts';
import { places } from './places.ts';
import { rawCodesOn } from './raw-codes.ts';
import { callApi, complaintsOf, expectToFit, signIn, visit } from './session.ts';

/* Messages and offers to all members of a segment, and recalls of the messages of a campaign. */
const { operator, installation, browser, tell, newPlayer } = await setupWithOperator();
const onSite = [{ type: 'SiteNotification', opted_in: true }] as const;

/** Creates a segment of these players, and waits until it is in force. */
async function newSegment(code: string, name: string, user_ids: readonly string[]): Promise<void> {
  await callApi(installation, 'POST', '/brands/demo/segments', { code, name, user_ids });
  await callApi(installation, 'POST', `/brands/demo/segments/${code}/publish`);
  const members = async () =>
    (await callApi<{ members: number }>(installation, 'GET', `/brands/demo/segments/${code}`)).members;
  await vi.waitFor(async () => expect(await members()).toBe(user_ids.length), { timeout: 20_000 });
}

type Actions = { items: { action_id: number; state: string; counts: Record<string, number> }[] };
const actionsOf = async (segment: string) =>
  (await callApi<Actions>(installation, 'GET', `/brands/demo/bulk-actions?segment=${segment}`)).items;

type Messages = { items: { title: string; state: string }[] };
const messagesOf = async (user_id: string) =>
  (await callApi<Messages>(installation, 'GET', `/brands/demo/players/${user_id}/messages`)).items;

/** Sends a message to a new segment with one player. */
async function orderedMessage(code: string): Promise<number> {
  await newPlayer(`of-${code}`, [...onSite]);
  await newSegment(code, 'Readers', [`of-${code}`]);
  const order = { channel: 'site', content: { event: 'inbox', title: 'Hello', message: 'Hello' } };
  const path = `/brands/demo/segments/${code}/messages`;
  return (await callApi<{ action_id: number }>(installation, 'POST', path, order)).action_id;
}

/** The platform receives the next such call, and the browser gets no answer. */
const loseNextAnswer = (page: Page, call: string) =>
  page.route(
    call,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

test('a message to the members of a segment shows its number of players, is sent once, shows the outcomes, and is recalled', async (context) => {
  await Promise.all([newPlayer('may-1', [...onSite]), newPlayer('may-2', [...onSite])]);
  await newPlayer('may-not', [{ type: 'SiteNotification', opted_in: false }]);
  await newSegment('vip', 'Important players', ['may-1', 'may-2', 'may-not']);
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/vip');
  const open = page.getByRole('button', { name: 'Message the members' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Message the members: Important players' });
  const review = dialog.getByRole('button', { name: 'Review' });
  expect(await review.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Title' }).fill('A day of surprises');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Come by on Sunday.');
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await review.click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Check before you send');
  await dialog.getByText('Who gets it: 3 members').waitFor();
  await dialog.getByText('Would get it now: 2').waitFor();
  await dialog.getByText('no consent: 1').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await loseNextAnswer(page, '**/segments/vip/messages');
  await dialog.getByRole('button', { name: 'Send to 3 players' }).click();
  await dialog.getByText('The answer to this order did not arrive').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await open.click();
  await dialog.getByRole('button', { name: 'Send the same order again' }).click();

  await page.getByRole('heading', { level: 2, name: 'Site message to Important players' }).waitFor();
  await page.getByText('done', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: '2 sent' }).waitFor();
  await page.getByRole('button', { name: 'no consent 1' }).click();
  await expect.poll(() => page.getByRole('row', { name: /may-/ }).count()).toBe(1);
  await page.getByRole('row', { name: /may-not.*withheld.*no consent/ }).waitFor();
  expect(new URL(page.url()).search).toBe('?state=withheld&reason=no_consent');
  await expectToFit(page, 'a bulk action');
  expect(await actionsOf('vip')).toMatchObject([{ state: 'done', counts: { sent: 2, withheld: 1 } }]);
  expect(await messagesOf('may-1')).toMatchObject([{ title: 'A day of surprises', state: 'live' }]);
  await visit(page, installation, 'messages/bulk-actions');
  const listed = page.getByRole('row', { name: /Important players/ });
  await listed.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('row', { name: /may-not.*withheld/ }).waitFor();
  expect(new URL(page.url()).search).toBe('?state=withheld');

  await page.getByRole('button', { name: 'Recall messages' }).click();
  const recall = page.getByRole('dialog', { name: 'Recall messages' });
  await recall.getByText('In inboxes: 2. Of these, read: 0.').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await recall.getByRole('button', { name: 'Recall 2 messages' }).click();
  await recall.getByText('The messages were recalled.').waitFor();
  await recall.getByRole('link', { name: 'All recalls' }).click();
  await page.getByRole('row', { name: /bulk action \d+.*done.*2.*0/ }).waitFor();
  expect(await messagesOf('may-1')).toMatchObject([{ state: 'withdrawn' }]);
  // The browser reports the lost answer.
  expect(complaints.filter((one) => !one.includes('ERR_FAILED'))).toEqual([]);
});

test('a template asks for the values that it inserts, for a segment and for one player', async (context) => {
  await newPlayer('winner-1', [...onSite]);
  await newSegment('winners', 'Winners', ['winner-1']);
  const title = "{{ event.prize.name }}, {{ event.place | default: 'third' }}";
  const content = { en: { event: 'inbox', title, message: 'For {{ player.user_id }}' } };
  const template = { code: 'prize', name: 'The prize', channel: 'site', purpose: 'marketing', content };
  await callApi(installation, 'POST', '/brands/demo/templates', template);
  const page = await browser.page(context);
  await signIn(page, installation);
  const dialog = page.getByRole('dialog');
  const choose = async () => {
    await dialog.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'The prize' }).click();
  };
  const prize = dialog.getByRole('textbox', { name: 'event.prize.name' });
  await visit(page, installation, 'segments/winners');
  await page.getByRole('button', { name: 'Message the members' }).click();
  await choose();
  await prize.fill(' ');
  await dialog.getByText('Enter a value.').waitFor();
  const review = dialog.getByRole('button', { name: 'Review' });
  expect(await review.isDisabled()).toBe(true);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await prize.fill('A boat');
  await review.click();
  await dialog.getByRole('row', { name: 'event.prize.name A boat' }).waitFor();
  await dialog.getByRole('button', { name: 'Send to 1 player' }).click();
  await page.getByRole('button', { name: '1 sent' }).waitFor();

  await visit(page, installation, 'players/winner-1?tab=messages');
  await page.getByRole('button', { name: 'Send a message' }).click();
  await choose();
  await prize.waitFor();
  const send = dialog.getByRole('button', { name: 'Send the message' });
  expect(await send.isDisabled()).toBe(true);
  await prize.fill('A car');
  await dialog.getByRole('textbox', { name: 'event.place' }).fill('first');
  await send.click();
  await dialog.getByText('live', { exact: true }).waitFor();
  const titles = (await messagesOf('winner-1')).map((one) => one.title).toSorted();
  expect(titles).toEqual(['A boat, third', 'A car, first']);
});

test('an offer to a segment states its maximum cost, is listed while it runs, and its rest can be cancelled', async (context) => {
  await Promise.all([newPlayer('gift-1'), newPlayer('gift-2')]);
  // The operator does not know this player, so the gate holds the offer until it is cancelled.
  await tell('POST', 'user', 'gift-unknown');
  const player = () => callApi(installation, 'GET', '/brands/demo/players/gift-unknown');
  await vi.waitFor(player, { timeout: 20_000 });
  await newSegment('guests', 'Guests', ['gift-1', 'gift-2', 'gift-unknown']);
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'segments/guests');
  // Order it with the keyboard alone.
  await page.getByRole('button', { name: 'Offer a bonus to the members' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Offer a bonus to the members: Guests' });
  await dialog.getByRole('combobox', { name: 'Bonus code' }).focus();
  await page.keyboard.type('CASHBACK10');
  await page.keyboard.press('Escape');
  await dialog.getByRole('textbox', { name: 'Amount' }).focus();
  await page.keyboard.type('0.10');
  await dialog.getByRole('textbox', { name: 'Reason' }).focus();
  await page.keyboard.type('Ticket 18');
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Review' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('0.30 EUR for 3 players').waitFor();
  await dialog.getByText('Looked up at the operator first: 1').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Offer to 3 players' });
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await confirm.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Offer CASHBACK10 0.10 EUR to Guests' }).waitFor();
  await page.getByRole('button', { name: '2 sent' }).waitFor();

  // It continues after its page is left. The dialog of the next order lists it, and the segment has a link to the list.
  await visit(page, installation, 'segments/guests');
  await page.getByRole('button', { name: 'Offer a bonus to the members' }).click();
  await dialog.getByText('Ordered for this segment in the last 24 hours').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Messages and offers to the members' }).click();
  await page.getByRole('row', { name: /CASHBACK10.*Guests.*running.*2 of 3 players/ }).waitFor();
  await page.getByRole('link', { name: 'Offer CASHBACK10 0.10 EUR' }).click();
  await page.getByRole('row', { name: /gift-1.*sent/ }).waitFor();
  await page.getByRole('button', { name: 'Cancel the rest' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the rest' }).click();
  await page.getByText('Cancelled. Nothing more is sent.').waitFor();
  await page.getByText('cancelled', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Cancel the rest' }).count()).toBe(0);
  await page
    .getByRole('row', { name: /gift-1/ })
    .getByRole('link', { name: 'Bonus' })
    .click();
  await page.getByRole('heading', { name: 'CASHBACK10' }).waitFor();
  await page.getByRole('link', { name: /^bulk action/ }).waitFor();
  expect(await actionsOf('guests')).toMatchObject([{ state: 'cancelled', counts: { sent: 2 } }]);
  expect(complaints).toEqual([]);
});

test('the messages of a campaign are recalled on its page', async (context) => {
  await newPlayer('reader-1', [...onSite]);
  const content = { en: { event: 'inbox', title: 'Spring is here', message: 'Hello' } };
  const template = { code: 'spring', name: 'Spring', channel: 'site', purpose: 'marketing', content };
  await callApi(installation, 'POST', '/brands/demo/templates', template);
  const steps = [{ id: 'hello', send: { channel: 'site', template: 'spring' } }];
  await callApi(installation, 'POST', '/brands/demo/campaigns', {
    code: 'spring',
    name: 'Spring',
    entry: { api: true },
    steps,
  });
  await callApi(installation, 'POST', '/brands/demo/campaigns/spring/publish', {});
  const entering = { user_id: 'reader-1', key: 'one' };
  await callApi(installation, 'POST', '/brands/demo/campaigns/spring/enter', entering);
  await vi.waitFor(async () => expect(await messagesOf('reader-1')).toMatchObject([{ state: 'live' }]), {
    timeout: 20_000,
  });
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'campaigns/spring');
  await page.getByRole('button', { name: 'Recall messages' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recall messages' });
  await dialog.getByText('The campaign is live and continues to send. Pause or stop it first.').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Recall 1 message' }).click();
  await dialog.getByText('The messages were recalled.').waitFor();
  expect(await messagesOf('reader-1')).toMatchObject([{ state: 'withdrawn' }]);
  // Messages whose campaign has no page are recalled on the list of recalls.
  await visit(page, installation, 'messages/recalls');
  await page.getByRole('button', { name: 'Recall messages' }).click();
  await dialog.getByRole('textbox', { name: 'Campaign' }).fill('spring');
  await dialog.getByText('This campaign has no message that can be recalled.').waitFor();
  expect(await dialog.getByRole('button', { name: /^Recall/ }).isDisabled()).toBe(true);
});

test('after a reload, a credit whose answer was lost is shown before the next one', async (context) => {
  await newPlayer('lost-1');
  const page = await browser.page(context);
  await signIn(page, installation);
  await visit(page, installation, 'players/lost-1?tab=bonuses');
  const open = page.getByRole('button', { name: 'Credit a bonus' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Credit a bonus' });
  await dialog.getByRole('combobox', { name: 'Bonus code' }).fill('CASHBACK10');
  await page.keyboard.press('Escape');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Ticket 19');
  await loseNextAnswer(page, '**/bonus-credits');
  await dialog.getByRole('button', { name: 'Credit the bonus' }).click();
  await dialog.getByText('The answer to this order did not arrive').waitFor();
  await page.reload();
  await open.click();
  await dialog.getByText('Bonuses of this player from the last 24 hours').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('link', { name: 'CASHBACK10' }).click();
  await page.getByRole('heading', { name: 'CASHBACK10' }).waitFor();
  await expect.poll(() => operator.books.credits.filter(({ user_id }) => user_id === 'lost-1').length).toBe(1);
});

test('the role compliance can recall messages but order none, and the role support can do neither', async (context) => {
  const action = await orderedMessage('roles');
  const password = 'a long enough password';
  for (const role of ['compliance', 'support']) {
    const email = `${role}@example.com`;
    await callApi(installation, 'POST', '/accounts', { email, password, grants: [{ brand: 'demo', role }] });
    const page = await browser.page(context);
    await signIn(page, installation, { email, password });
    await visit(page, installation, 'segments/roles');
    await page.getByRole('heading', { name: 'Readers' }).waitFor();
    expect(await page.getByRole('button', { name: /the members/ }).count(), role).toBe(0);
    await visit(page, installation, `messages/bulk-actions/${action}`);
    const recall = page.getByRole('button', { name: 'Recall messages' });
    expect(await recall.count(), role).toBe(role === 'compliance' ? 1 : 0);
  }
});

test('axe finds nothing on the pages of bulk actions, dark and light, in German', async (context) => {
  const action = await orderedMessage('axe');
  const page = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE' });
  await signIn(page, installation);
  for (const listed of places.bulk) {
    const place = listed.replace('$action', String(action)).replace('$segment', 'axe');
    await visit(page, installation, place);
    expect(await accessibilityProblemsInBothSchemes(page), place).toEqual([]);
    expect(await rawCodesOn(page), place).toEqual([]);
    await expectToFit(page, place);
  }
});
