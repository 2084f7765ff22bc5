import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startSmtp } from '../../packages/platform/testing/channels/email/setup-smtp.ts';
import { accessibilityProblems, accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { picture } from '../site/picture.ts';
import { places } from './places.ts';
import { rawCodesOn } from './raw-codes.ts';
import { callApi, complaintsOf, expectToFit, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * Messages as CRM staff write them: a template beside its preview.
 */
const { installation, browser, pool } = await setupConsole();

const registered = await fetch(`${installation.url}/v2/integration/user`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': installation.key },
  body: JSON.stringify({ user_id: 'ann-1', timestamp: new Date().toISOString() }),
});
expect(registered.status, await registered.text()).toBe(200);

/*
 * The errors that the browser may report in this test. The platform answers 400 to a text with an error. The frames refuse to run a
 * script of this test's driver, and to focus a modal.
 */
const expected = /status of 400|^Blocked (script execution in '.*\/console\/frames\/mail'|autofocusing on a <h2>)/;
const seriousOf = (complaints: string[]) => complaints.filter((one) => !expected.test(one));

/** Returns a computed style property of the element. */
const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate(
    (one, name) =>
      (globalThis as unknown as { getComputedStyle(of: unknown): { getPropertyValue(name: string): string } })
        .getComputedStyle(one)
        .getPropertyValue(name),
    property,
  );

const editor = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });

test('an e-mail is written with completion, previewed as a player in its frames, saved, compared with the earlier version, and restored', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/messages/templates`);
  await page.getByRole('link', { name: 'New template' }).click();
  // Wait for the new page first, because the list also has a field for names.
  await page.getByRole('heading', { name: 'New template' }).waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring offer');
  expect(await page.getByRole('textbox', { name: 'Code', exact: true }).inputValue()).toBe('spring_offer');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create template' }).click();

  const mail = page.frameLocator('iframe[title=Preview]');
  await mail.getByText('Hello there,').waitFor();
  // The policy of the frame allows the styles of the e-mail.
  const button = mail.getByRole('link', { name: 'Go to Demo Casino' });
  expect(await styleOf(button, 'background-color')).toContain('rgb(68, 68, 221)');
  await editor(page, 'Subject').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' from {{ player.cit');
  await page.getByRole('option', { name: /player\.city/ }).click();
  await page.keyboard.press('End');
  await page.getByText('Empty for this player').waitFor();
  // An unknown name is reported at its field, and the preview stays. The whole text is inserted in one step, so that one undo removes
  // all of it.
  await page.keyboard.insertText('{{ player.frist_name }}');
  await page.getByText('player.frist_name is not a field of a player').waitFor();
  await mail.getByText('Hello there,').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('player.frist_name is not a field of a player').waitFor({ state: 'detached' });
  // How much one undo removes depends on the speed of typing. So replace the subject, to have the same one in each run.
  await editor(page, 'Subject').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('An offer for spring');

  const show = (frame: string) =>
    page.getByRole('radiogroup', { name: 'Frame' }).getByText(frame, { exact: true }).click();
  await show('Inbox');
  await page.locator('.mail-row', { hasText: 'An offer for spring' }).waitFor();
  await show('Plain text');
  await page.locator('.plain-part', { hasText: 'Write what you have to say here.' }).waitFor();
  await show('Phone');
  await mail.getByText('Hello there,').waitFor();
  await page.getByRole('radiogroup', { name: 'Look' }).getByText('Dark', { exact: true }).click();
  await expect.poll(() => styleOf(mail.locator('html'), 'filter')).toContain('invert');
  await page.getByRole('button', { name: 'Add language' }).click();
  await page.getByRole('dialog').getByLabel('Add language').fill('de');
  await page.getByRole('dialog').getByRole('button', { name: 'Add language' }).click();
  await page.getByRole('tab', { name: 'de', selected: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved as version 2').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await callApi(installation, 'GET', '/brands/demo/templates/spring_offer')).toMatchObject({
    version: 2,
    languages: ['en', 'de'],
  });

  await page.getByRole('tab', { name: 'History' }).click();
  // If more than two fields changed, their differences are collapsed at first.
  await page.locator('summary', { hasText: /^de · MJML/ }).click();
  await page.locator('ins', { hasText: '<mjml>' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Restore this version: 1' }).click();
  await page.getByText('Unsaved changes').waitFor();
  // Leaving the page loses no changes.
  await page.goto(`${installation.url}/console/demo/now`);
  await page.goto(`${installation.url}/console/demo/messages/templates/spring_offer`);
  await page.getByText('Your unsaved changes were restored.').waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('tab', { name: 'de' }).waitFor();

  // A refused copy shows why, and the page stays.
  const more = page.getByRole('button', { name: 'More', exact: true });
  const refusal = {
    status: 400,
    json: { code: 'invalid_request', title: 'Invalid request', detail: 'the copy is refused' },
  };
  await page.route('**/templates', (route) => route.fulfill(refusal), { times: 1 });
  await more.click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('alert').getByText('the copy is refused').waitFor();
  await more.click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'Spring offer (2)' }).waitFor();

  await more.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Spring offer' }).waitFor();
  expect(seriousOf(complaints)).toEqual([]);
});

test('a picture is uploaded and put into a template, and cannot be deleted while the template shows it', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/messages/media`);
  await page.getByText('There are no pictures yet.').waitFor();
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  await page.locator('input[type=file]').setInputFiles([
    { name: 'banner.gif', mimeType: 'image/gif', buffer: gif },
    { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<script>alert(1)</script>') },
  ]);
  await page.getByText('page.png: The file is not a PNG, JPEG, GIF or WebP.').waitFor();
  await page.getByText('banner.gif').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const content = { en: { subject: 'Hi', html: '<p>Hi</p>' } };
  await callApi(installation, 'PUT', '/brands/demo/templates/with_picture', {
    name: 'Picture',
    channel: 'email',
    content,
  });
  await page.goto(`${installation.url}/console/demo/messages/templates/with_picture`);
  await editor(page, 'HTML').click();
  await page.keyboard.press('Control+End');
  await page.getByRole('button', { name: 'Picture' }).click();
  await page.getByRole('button', { name: 'Choose banner.gif' }).click();
  const shown = page.frameLocator('iframe[title=Preview]').locator('img');
  await expect
    .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(1);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved as version 2').waitFor();
  await page.goto(`${installation.url}/console/demo/messages/media`);
  await page.getByRole('button', { name: 'Delete: banner.gif' }).click();
  await page.getByText('banner.gif is used by with_picture').waitFor();
  await callApi(installation, 'DELETE', '/brands/demo/templates/with_picture');
  await page.getByRole('button', { name: 'Delete: banner.gif' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Delete: banner.gif' }).waitFor();
  expect(complaints.filter((one) => !/status of (400|409)/.test(one))).toEqual([]);
});

test('templates are listed by name; an SMS names the characters that make it longer, and an MJML block is previewed', async (context) => {
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  await signIn(page, installation);
  const make = (code: string, name: string, channel: string, fields: object) =>
    callApi(installation, 'PUT', `/brands/demo/templates/${code}`, { name, channel, content: { en: fields } });
  await make('zulu', 'Alpha text', 'sms', { text: 'Ten spins – “today”' });
  await make('alpha', 'Zulu block', 'block', { body: '<mj-text>Yours, {{ brand.name }}</mj-text>' });
  await visit(page, installation, 'messages/templates');
  const names = await page.locator('tbody tr td:first-child a').allTextContents();
  expect(names.indexOf('Alpha text')).toBeLessThan(names.indexOf('Zulu block'));
  await visit(page, installation, 'messages/templates/zulu');
  await page.getByText('Outside the GSM alphabet: – “ ”.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await visit(page, installation, 'messages/templates/alpha');
  await page.frameLocator('iframe[title=Preview]').getByText('Yours,').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the result of a test message is shown in words, in German, too', async (context) => {
  await callApi(installation, 'PUT', '/brands/demo/settings', { settings: { test_players: ['ann-1'] } });
  const template = { name: 'Tested', channel: 'sms', content: { en: { text: 'Hello' } } };
  await callApi(installation, 'PUT', '/brands/demo/templates/tested', template);
  const page = await browser.page(context, { locale: 'de-DE' });
  await signIn(page, installation);
  const answer = { message_id: 1, state: 'withheld', reason: 'consent_unknown', decision_id: 1 };
  await page.route('**/templates/tested/test-send', (route) => route.fulfill({ json: answer }));
  await visit(page, installation, 'messages/templates/tested');
  await page.getByRole('button', { name: 'Test senden' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test senden' });
  await dialog.getByRole('button', { name: 'Test senden' }).click();
  await dialog.getByText('Der Test ist beauftragt: zurückgehalten.').waitFor();
  await dialog.getByText('Einwilligung unbekannt').waitFor();
});

test('a mail server is tested before it is saved, and a change of settings of the brand is undone', async (context) => {
  const smtp = await startSmtp();
  context.onTestFinished(() => smtp.stop());
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.goto(`${installation.url}/console/demo/settings/channels`);
  await page.getByRole('link', { name: 'Set up: E-mail' }).click();
  await page.getByLabel('SMTP server').fill('127.0.0.1');
  await page.getByRole('textbox', { name: 'Port' }).fill(String(smtp.port));
  await page.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: 'None:' }).click();
  // Each group has a heading, and the test of the server is beside its settings. Advanced settings are folded.
  const group = (name: string) => page.getByRole('region', { name });
  await group('Server').getByRole('button', { name: 'Connect only' }).click();
  await group('Sender').getByText('is missing: add it').waitFor();
  expect(await page.getByLabel('Maximum e-mails per second').isVisible()).toBe(false);
  await page.getByRole('heading', { name: 'Rate and timeouts' }).click();
  expect(await page.getByLabel('Maximum e-mails per second').isVisible()).toBe(true);
  await picture(page, 'channel-email');
  await page.getByLabel('From: address').fill('casino@malta.example');
  await group('Server').getByRole('button', { name: 'Connect only' }).click();
  await group('Server').getByText('Connected and signed in. Nothing was sent.').waitFor();
  expect(smtp.mails).toEqual([]);
  // Enter in the address tests the channel and does not save its settings.
  await page.getByLabel('Your address').fill('me@casino.example');
  await page.keyboard.press('Enter');
  await group('Sender').getByText('It works').waitFor();
  expect(smtp.mails).toMatchObject([{ to: ['me@casino.example'] }]);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. It takes effect within a second.').waitFor();
  const path = '/brands/demo';
  expect(await callApi(installation, 'GET', path)).toMatchObject({ email: { host: '127.0.0.1', port: smtp.port } });

  await page.goto(`${installation.url}/console/demo/settings/brand`);
  await page.getByLabel('Quarantine, days').fill('31');
  await page.getByText('1 unsaved change.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(
      async () =>
        (await callApi<{ settings: { quarantine_days: number } }>(installation, 'GET', path)).settings.quarantine_days,
    )
    .toBe(90);
  // The preview and the code of the site script show the settings that are entered.
  await page.goto(`${installation.url}/console/demo/integration/site-script`);
  await page.getByLabel('E-mail address for questions').fill('help@casino.example');
  await page.frameLocator('iframe[title=Preview]').getByText('help@casino.example').waitFor();
  await page.getByText("contactEmail: 'help@casino.example',").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(seriousOf(complaints)).toEqual([]);
});

test.for(['light', 'dark'] as const)(
  "the preview of a site message uses the brand's own script, and the keyboard stays in the editor, %s",
  async (colorScheme, context) => {
    const page = await browser.page(context, { viewport: { width: 1280, height: 900 }, colorScheme, locale: 'de' });
    const complaints = complaintsOf(page);
    await signIn(page, installation);
    const code = `modal_${colorScheme}`;
    const content = {
      en: {
        event: 'message',
        title: 'Hello',
        message: '<p>Ten spins</p>',
        cta_button_text: 'Play',
        cta_button_link: '/games',
      },
    };
    await callApi(installation, 'PUT', `/brands/demo/templates/${code}`, { name: 'Modal', channel: 'site', content });
    await page.goto(`${installation.url}/console/demo/messages/templates/${code}`);
    const site = page.frameLocator('iframe[title=Vorschau]');
    await site.getByRole('heading', { name: 'Hello' }).waitFor();
    await editor(page, 'Titel').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' you', { delay: 30 });
    await site.getByRole('heading', { name: 'Hello you' }).waitFor();
    await page.keyboard.type(' there');
    await site.getByRole('heading', { name: 'Hello you there' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(seriousOf(complaints)).toEqual([]);
  },
);

/** Stores an e-mail that was sent and opened, an SMS that failed an hour ago, and one that failed before the last 24 hours. */
async function storeSentMessages(): Promise<void> {
  const of = async (number: number) => {
    const { rows } = await pool.query<{ message_id: number; player_id: number; brand_id: number }>(
      `select ${number} * 64 + (player_id & 63) as message_id, player_id, brand_id from player where user_id = 'ann-1'`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('there is no player ann-1');
    return [row.message_id, row.brand_id, row.player_id] as const;
  };
  const common = `'service', now(), 'test', now() + interval '1 day'`;
  const email = await of(9_000);
  await pool.query(
    `insert into email_message (message_id, brand_id, player_id, purpose, created_at, created_by, expires_at, subject, html, plain, state, attempts, status, detail, sent_at, ended_at)
     values ($1, $2, $3, ${common}, 'Your ticket 17', '<p>It is solved.</p>', 'It is solved.', 'sent', 2, 250, 'queued', now(), now())`,
    [...email],
  );
  await pool.query(
    `insert into message_event (player_id, what, at, fingerprint, event_id, channel, provider, message_id, campaign_id, reason, link)
     values ($1, 'opened', now(), '\\x01', 'e-1', 'email', '', $2, '', '', '')`,
    [email[2], String(email[0])],
  );
  for (const [number, text, ended] of [
    [9_001, 'Code 12', '1 hour'],
    [9_002, 'Code 11', '2 days'],
  ] as const)
    await pool.query(
      `insert into called_message (message_id, brand_id, player_id, purpose, created_at, created_by, expires_at, channel, target, content, parts, state, reason, status, detail, attempts, ended_at)
       values ($1, $2, $3, ${common}, 'sms', '', $4, 1, 'failed', 'refused', 400, 'no such number', 1, now() - $5::interval)`,
      [...(await of(number)), JSON.stringify({ text }), ended],
    );
}

test('a message that was sent is found, with its text and reports; "Failed messages" opens exactly those that it counts', async (context) => {
  const isStored = () =>
    pool.query("select from player where user_id = 'ann-1'").then(({ rowCount }) => rowCount === 1);
  await expect.poll(isStored).toBe(true);
  await storeSentMessages();
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await page.getByRole('link', { name: /Failed messages, 24 hours.*1/s }).click();
  await page.getByRole('heading', { name: 'Sent messages' }).waitFor();
  await page.getByRole('link', { name: 'Code 12' }).waitFor();
  expect(await page.getByRole('link', { name: /^Code|^Your/ }).allTextContents()).toEqual(['Code 12']);
  const reason = page.getByRole('combobox', { name: 'Reason' });
  await reason.click();
  await page.getByRole('option', { name: 'no consent', exact: true }).click();
  await page.getByText('No entry matches.').waitFor();
  await reason.fill('refused');
  await page.getByRole('option', { name: 'refused', exact: true }).click();
  await page.waitForURL(/[?&]reason=refused(?:&|$)/);
  await page.getByRole('link', { name: 'Code 12' }).waitFor();
  // The list begins at a moment within a day, and the filter shows its time.
  const from = page.getByRole('textbox', { name: 'Ended from' });
  expect(await from.inputValue()).toMatch(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d/);
  await page.getByRole('link', { name: 'Code 12' }).click();
  await page.getByRole('heading', { name: /^SMS \d+/ }).waitFor();
  await page.getByText('400 no such number').waitFor();
  expect(await page.locator('.sms-bubble').textContent()).toBe('Code 12');
  const sms = page.url().split('sms-')[1] ?? '';

  await visit(page, installation, 'players/ann-1?tab=messages');
  await page
    .getByRole('row', { name: /e-?mail/i })
    .getByRole('link', { name: 'Show' })
    .click();
  await page.getByRole('heading', { name: /^E-mail \d+/ }).waitFor();
  await page.getByRole('row', { name: /Subject.*Your ticket 17/ }).waitFor();
  await page.getByRole('row', { name: /opened/ }).waitFor();
  await page.frameLocator('iframe[title=Preview]').getByText('It is solved.').waitFor();
  expect(await page.getByRole('row', { name: /^Tries/ }).textContent()).toBe('Tries2');
  const email = page.url().split('email-')[1] ?? '';

  // Only roles that may see personal data see the content.
  const login = { email: 'viewer@example.com', password: 'a long enough password' };
  await callApi(installation, 'POST', '/accounts', { ...login, grants: [{ brand: 'demo', role: 'viewer' }] });
  const masked = await browser.page(context);
  await signIn(masked, installation, login);
  await visit(masked, installation, `messages/sent/email-${email}`);
  await masked.getByText('Your role may not see the content of messages').waitFor();
  expect(await masked.getByText('Your ticket 17').count()).toBe(0);

  const german = await browser.page(context, { colorScheme: 'dark', locale: 'de-DE' });
  await signIn(german, installation);
  for (const place of places.messages) {
    await visit(german, installation, place.replace('$email', email).replace('$sms', sms));
    expect(await accessibilityProblemsInBothSchemes(german), place).toEqual([]);
    await expectToFit(german, place);
    expect(await rawCodesOn(german), place).toEqual([]);
  }
  expect(seriousOf(complaints)).toEqual([]);
});

test('the messages on the site are filtered by their reason, in words', async (context) => {
  const message = { event: 'inbox', title: 'Ten spins', message: '<p>On us</p>' };
  const ordered = '/brands/demo/players/ann-1/messages';
  await callApi(installation, 'POST', ordered, message);
  const { message_id } = await callApi<{ message_id: number }>(installation, 'POST', ordered, message);
  await callApi(installation, 'POST', `/brands/demo/messages/${message_id}/recall`);
  const page = await browser.page(context, { locale: 'de-DE' });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'messages/sent?list=site');
  const spins = page.getByRole('row').filter({ hasText: 'Ten spins' });
  await expect.poll(() => spins.count()).toBe(2);
  await page.getByRole('combobox', { name: 'Grund' }).click();
  await page.getByRole('option', { name: 'zurückgerufen', exact: true }).click();
  await page.waitForURL('**/messages/sent?list=site&reason=recalled');
  await expect.poll(() => spins.count()).toBe(1);
  await spins.getByText('zurückgerufen').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(seriousOf(complaints)).toEqual([]);
});

test('if the row that a link selects is not among the first rows of a long list, the list says so, and a button searches further', async (context) => {
  // These are messages of an erased player. Their ids are lower than those of all other messages of this file.
  const { rows } = await pool.query<{ message_id: number }>(
    `insert into called_message
       (message_id, brand_id, player_id, purpose, created_at, created_by, expires_at, channel, target, content, state, sent_at, ended_at)
     select (8000 + n) * 64, b.brand_id, 64000000, 'service', now(), 'test', now(), 'operator', '', jsonb_build_object('text', 'Note ' || n), 'sent', now(), now()
       from (select brand_id from brand where code = 'demo') b, generate_series(1, 300) n order by n returning message_id`,
  );
  const oldest = rows[0]?.message_id;
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 } });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, `messages/sent?channel=operator&row=${oldest}`);
  await page.getByText('The selected row is not among the rows searched so far (250).').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Search further' }).click();
  await page.locator('tr[aria-current=true]', { hasText: /Note 1\D/ }).waitFor();
  expect(await page.getByText('The selected row is not').count()).toBe(0);

  // All rows are loaded now.
  await visit(page, installation, 'messages/sent?channel=operator&row=1');
  await page.getByText('The selected row is not in this list.').waitFor();
  expect(await page.getByRole('button', { name: 'Search further' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('each push is listed with the answer of the push service, and the page of push keys links to the list', async (context) => {
  await expect
    .poll(async () => {
      const { rowCount } = await pool.query(
        `insert into push_delivery
           (brand_id, player_id, message_id, host, state, reason, status, detail, attempts, created_at, expires_at, sent_at, ended_at)
         select brand_id, player_id, message_id, 'push.example', state, reason, 403, 'bad signature', 1, now(), now() + interval '1 day', now(), now()
           from player, (values (9100, 'failed', 'vapid_refused'), (9101, 'sent', null)) v (message_id, state, reason) where user_id = 'ann-1'`,
      );
      return rowCount;
    })
    .toBe(2);
  const page = await browser.page(context);
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, 'settings/push');
  await page.getByRole('link', { name: 'All pushes of the last 90 days' }).click();
  await page.getByRole('tab', { name: 'Pushes by device', selected: true }).waitFor();
  const pushes = page.getByRole('row', { name: /ann-1.*push\.example/ });
  await expect.poll(() => pushes.count()).toBe(2);
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'failed', exact: true }).click();
  await page.waitForURL('**/messages/sent?list=push&state=failed');
  await expect.poll(() => pushes.count()).toBe(1);
  await pushes.getByRole('button', { name: 'Details' }).click();
  await page.getByText('403 bad signature').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => pushes.count()).toBe(2);
  await page.getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('option', { name: 'push keys refused', exact: true }).click();
  await page.waitForURL('**/messages/sent?list=push&reason=vapid_refused');
  await page.getByRole('row', { name: /ann-1.*failed.*push keys refused/ }).waitFor();
  expect(await pushes.count()).toBe(1);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
