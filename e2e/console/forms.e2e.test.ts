import { type SandboxOperator, startSandboxOperator } from '@croupier/sandbox';
import type { Locator, Page } from 'playwright-core';
import { expect, type TestContext, test, vi } from 'vitest';
import { answer, startProvider } from '../../packages/platform/testing/channels/calls/start-provider.ts';
import { startSmtp } from '../../packages/platform/testing/channels/email/setup-smtp.ts';
import { accessibilityProblemsInBothSchemes } from '../site/accessibility.ts';
import { callApi, complaintsOf, loaded, signIn, visit } from './session.ts';
import { setupConsole } from './setup.ts';

/*
 * The forms in which an integrator enters servers and credentials: wrong values first, then a test against a real server, then what
 * the form shows after it was saved.
 */
const { installation, browser } = await setupConsole();

/** Returns the error that screen readers read at the field, or null. */
const errorOf = (field: Locator): Promise<string | null> =>
  field.evaluate((one) => {
    if (one.getAttribute('aria-invalid') !== 'true') return null;
    const ids: string[] = (one.getAttribute('aria-describedby') ?? '').split(' ');
    return one.ownerDocument.getElementById(ids.find((id: string) => id.endsWith('-error')) ?? '')?.textContent ?? null;
  });

const hasError = (field: Locator, text: RegExp) => expect.poll(() => errorOf(field).then(String)).toMatch(text);

const hasFocus = (field: Locator) =>
  expect.poll(() => field.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);

/** Opens a page of the console, signed in. The browser reports each answer of 400 and 404, which the tests provoke. */
async function open(context: TestContext, place: string, locale = 'en-US') {
  const page = await browser.page(context, { viewport: { width: 1280, height: 900 }, locale });
  const complaints = complaintsOf(page);
  await signIn(page, installation);
  await visit(page, installation, place);
  const unexpected = () => complaints.filter((one) => !/status of 40[04]/.test(one));
  return { page, unexpected };
}

/** Opens the page again from its address, so that it shows only what is stored. */
async function reopen(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('heading', { level: 2 }).waitFor();
  await loaded(page);
}

async function provider(context: TestContext) {
  const started = await startProvider();
  context.onTestFinished(() => started.stop());
  return started;
}

test('an SMS provider: errors at the fields, a test with unsaved settings, and a saved form without its secrets', async (context) => {
  const { origin, taken, answers } = await provider(context);
  const { page, unexpected } = await open(context, 'settings/channels/sms');
  const field = (name: string) => page.getByRole('textbox', { name });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await field('Account SID').fill('AC1');
  await save.click();
  await hasError(field('Account SID'), /^must be a Twilio account SID: AC and 32 letters and digits$/);
  await hasFocus(field('Account SID'));

  await page.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option', { name: 'Any provider over HTTP' }).click();
  await field('URL to call').fill('nowhere');
  // Invalid JSON is not saved. Otherwise the platform would store the former headers, without an error.
  await field('Headers').fill('{"Host": 5');
  const saved: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && saved.push(request.url()));
  await save.click();
  await hasError(field('Headers'), /^This is not valid JSON$/);
  await hasFocus(field('Headers'));
  expect(saved).toEqual([]);
  await field('Headers').fill('{"Host": "x"}');
  await save.click();
  await hasError(field('URL to call'), /^must be an http or https address/);
  await hasFocus(field('URL to call'));
  await field('URL to call').fill(`${origin}/sms`);
  await save.click();
  await hasError(field('Headers'), /^Host: is not a header that can be set/);
  await field('Headers').fill('{"Authorization": "Bearer a-token"}');
  await field('Sender').fill('a name that is too long');
  await save.click();
  await hasError(field('Sender'), /^must be a number in E\.164/);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await field('Sender').fill('Casino');

  // Enter in the number tests the channel.
  const number = field('Your number');
  await number.fill('123');
  await page.keyboard.press('Enter');
  await hasError(number, /^must be a number such as \+35699123456$/);
  answers.push(answer(401, 'who?'));
  await number.fill('+35699123456');
  await page.keyboard.press('Enter');
  const outcome = page.getByRole('status').filter({ hasText: /works?/ });
  await outcome.getByText('authentication failed').waitFor();
  await outcome.getByText('401 who?').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await outcome.getByText('The provider accepted it.').waitFor();
  expect(taken.at(-1)).toMatchObject({ path: '/sms', headers: { authorization: 'Bearer a-token' } });
  expect(JSON.parse(taken.at(-1)?.body ?? '')).toMatchObject({ to: '+35699123456', from: 'Casino' });

  await save.click();
  await page.getByText('Saved. It takes effect within a second.').waitFor();
  await expect.poll(() => field('Headers').inputValue()).toBe('{}');
  await reopen(page);
  expect(await field('URL to call').inputValue()).toBe(`${origin}/sms`);
  expect(await field('Sender').inputValue()).toBe('Casino');
  expect(await page.content()).not.toContain('a-token');
  // The test uses the stored secret.
  await number.fill('+35699123456');
  await page.keyboard.press('Enter');
  await outcome.getByText('It works').waitFor();
  expect(taken.at(-1)?.headers.authorization).toBe('Bearer a-token');
  expect(unexpected()).toEqual([]);
});

test('SMS through Twilio: errors at the fields, a test with unsaved settings, and a saved form without its token', async (context) => {
  const { origin, taken, answers } = await provider(context);
  const { page, unexpected } = await open(context, 'settings/channels/sms');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option', { name: 'Twilio' }).click();
  await field('Account SID').fill('AC1');
  await field('API key SID').fill('SK1');
  await field('Messaging service SID').fill('MG1');
  await save.click();
  await hasError(field('Account SID'), /^must be a Twilio account SID: AC and 32 letters and digits$/);
  await hasFocus(field('Account SID'));
  await hasError(field('API key SID'), /^must be a Twilio key SID: SK and 32 letters and digits$/);
  await hasError(field('Auth token'), /^is missing: add it$/);
  await hasError(field('Messaging service SID'), /^must be a Twilio messaging service SID: MG and 32/);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  const account = `AC${'a'.repeat(32)}`;
  const key = `SK${'b'.repeat(32)}`;
  await field('Account SID').fill(account);
  await field('API key SID').fill(key);
  await field('Auth token').fill('a-twilio-token');
  await field('Messaging service SID').fill(`MG${'c'.repeat(32)}`);
  await field('Sender').fill('Casino');
  // The folded settings open at an error.
  await page.getByText('Rate and timeouts').click();
  await field('API URL').fill('nowhere');
  await page.getByText('Rate and timeouts').click();
  await save.click();
  await hasError(field('API URL'), /^must be an http or https address/);
  await hasFocus(field('API URL'));
  await field('API URL').fill(origin);
  await save.click();
  await hasError(field('Sender'), /^set either from or messaging_service_sid$/);
  await field('Messaging service SID').fill('');

  const number = field('Your number, such as +35699123456');
  await number.fill('+35699123456');
  answers.push(answer(401, { code: 20003, message: 'Authenticate' }));
  await page.keyboard.press('Enter');
  const outcome = page.getByRole('status').filter({ hasText: /works?/ });
  await outcome.getByText('authentication failed').waitFor();
  answers.push(answer(201, { sid: 'SM1', status: 'queued' }));
  await page.getByRole('button', { name: 'Send a test' }).click();
  await outcome.getByText('The provider accepted it.').waitFor();
  const authorization = `Basic ${Buffer.from(`${key}:a-twilio-token`).toString('base64')}`;
  const path = `/2010-04-01/Accounts/${account}/Messages.json`;
  expect(taken.at(-1)).toMatchObject({ path, headers: { authorization } });
  expect(Object.fromEntries(new URLSearchParams(taken.at(-1)?.body))).toMatchObject({
    To: '+35699123456',
    From: 'Casino',
  });

  await save.click();
  await page.getByText('Saved. It takes effect within a second.').waitFor();
  await expect.poll(() => field('Auth token').inputValue()).toBe('');
  await reopen(page);
  expect(await field('Account SID').inputValue()).toBe(account);
  expect(await field('API key SID').inputValue()).toBe(key);
  expect(await field('Sender').inputValue()).toBe('Casino');
  expect(await field('Auth token').getAttribute('placeholder')).toBe('unchanged');
  expect(await page.content()).not.toContain('a-twilio-token');
  // The test uses the stored token.
  answers.push(answer(201, { sid: 'SM2', status: 'queued' }));
  await number.fill('+35699123456');
  await page.keyboard.press('Enter');
  await outcome.getByText('It works').waitFor();
  expect(taken.at(-1)?.headers.authorization).toBe(authorization);
  expect(unexpected()).toEqual([]);
});

test("the operator's own channel: errors at the fields, a signed test call, and a saved form without its secret", async (context) => {
  const { origin, taken, answers } = await provider(context);
  const { page, unexpected } = await open(context, 'settings/channels/operator');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await field('URL for messages').fill('https://me:pass@app.example/messages');
  await save.click();
  await hasError(field('URL for messages'), /^must be an http or https address without a user name/);
  await hasFocus(field('URL for messages'));
  await hasError(field('Secret that signs each call'), /^is missing: add it$/);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await field('URL for messages').fill(`${origin}/messages`);
  await field('Secret that signs each call').fill('a-secret-of-the-app');
  await page.getByText('Rate and timeouts').click();
  await field('Timeout of one call, milliseconds').fill('90000');
  await save.click();
  await hasError(field('Timeout of one call, milliseconds'), /^must be at most 60000$/);
  await field('Timeout of one call, milliseconds').fill('5000');

  const outcome = page.getByRole('status').filter({ hasText: /works?/ });
  answers.push(answer(403, 'no'));
  await page.getByRole('button', { name: 'Send a call' }).click();
  await outcome.getByText('It does not work').waitFor();
  await page.getByRole('button', { name: 'Send a call' }).click();
  await outcome.getByText('It works').waitFor();
  const signature = expect.stringMatching(/^v1=/);
  expect(taken.at(-1)).toMatchObject({ path: '/messages', headers: { 'x-crm-signature': signature } });

  await save.click();
  await page.getByText('Saved. It takes effect within a second.').waitFor();
  await expect.poll(() => field('Secret that signs each call').inputValue()).toBe('');
  await reopen(page);
  expect(await field('URL for messages').inputValue()).toBe(`${origin}/messages`);
  expect(await field('Secret that signs each call').getAttribute('placeholder')).toBe('unchanged');
  expect(await page.content()).not.toContain('a-secret-of-the-app');
  await page.getByText('Rate and timeouts').click();
  expect(await field('Timeout of one call, milliseconds').inputValue()).toBe('5000');
  // The test uses the stored secret.
  await page.getByRole('button', { name: 'Send a call' }).click();
  await outcome.getByText('It works').waitFor();
  expect(taken.at(-1)?.headers['x-crm-signature']).toEqual(signature);
  expect(unexpected()).toEqual([]);
});

test('webhooks by keyboard, in German: a missing secret, a private address, a test, and the consent after saving', async (context) => {
  const { origin, taken } = await provider(context);
  const { page, unexpected } = await open(context, 'settings/channels/webhook', 'de-DE');
  const secret = page.getByRole('textbox', { name: 'Geheimnis, das jeden Aufruf signiert' });
  await page.getByRole('button', { name: 'Speichern', exact: true }).press('Enter');
  await hasError(secret, /^fehlt: Ergänzen Sie die Angabe$/);
  await hasFocus(secret);
  await page.keyboard.type('a secret of the integrator');
  const address = page.getByRole('textbox', { name: 'Aufgerufene Adresse' });
  await address.focus();
  await page.keyboard.type('nowhere');
  await page.keyboard.press('Enter');
  await hasError(address, /^muss eine Adresse wie https:\/\/partner\.example\/hook sein$/);
  await address.fill(`${origin}/hook`);
  await page.keyboard.press('Enter');
  const outcome = page.getByRole('status').filter({ hasText: 'Funktioniert' });
  await outcome.getByText('private Adresse').waitFor();
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await callApi(installation, 'PUT', '/brands/demo/settings', { settings: { webhook_allowed: [origin] } });
  await address.focus();
  await page.keyboard.press('Enter');
  await outcome.getByText('Vom Anbieter angenommen.').waitFor();
  expect(taken).toMatchObject([{ path: '/hook', headers: { 'x-crm-signature': expect.stringMatching(/^v1=/) } }]);

  const consent = page.getByRole('combobox', { name: 'Nötige Einwilligung' });
  await consent.press('ArrowDown');
  await page.getByRole('option', { name: 'Nachrichten auf der Website' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => consent.inputValue()).not.toBe('');
  const chosen = await consent.inputValue();
  await secret.press('Enter');
  await page.getByText('Gespeichert. Gilt innerhalb einer Sekunde.').waitFor();
  // The saved secret does not stay in the form.
  await expect.poll(() => secret.inputValue()).toBe('');
  await reopen(page);
  expect(await consent.inputValue()).toBe(chosen);
  expect(await secret.getAttribute('placeholder')).toBe('unverändert');
  expect(unexpected()).toEqual([]);
});

test('a mail server: each wrong value has its error, and the saved settings are shown again', async (context) => {
  const smtp = await startSmtp();
  context.onTestFinished(() => smtp.stop());
  const { page, unexpected } = await open(context, 'settings/channels/email');
  const field = (name: string) => page.getByRole('textbox', { name });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await field('SMTP server').fill('no host');
  await field('Port').fill('99999');
  await field('From: address').fill('casino');
  await field('Bounces go to').fill('casino');
  await save.click();
  await hasError(field('SMTP server'), /^must be a host name or an IP address$/);
  await hasFocus(field('SMTP server'));
  // The value stays as it was typed.
  await hasError(field('Port'), /^must be at most 65535$/);
  expect(await field('Port').inputValue()).toBe('99999');
  await hasError(field('From: address'), /^must be an e-mail address$/);
  await hasError(field('Bounces go to'), /^must be an e-mail address, or empty$/);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await field('SMTP server').fill('127.0.0.1');
  await field('Port').fill('1');
  await field('From: address').fill('casino@malta.example');
  await field('Bounces go to').fill('');
  await page.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: 'None:' }).click();
  const server = page.getByRole('region', { name: 'Server' });
  await server.getByRole('button', { name: 'Connect only' }).click();
  await server.getByText('unreachable').waitFor();
  await field('Port').fill(String(smtp.port));
  await server.getByRole('button', { name: 'Connect only' }).click();
  await server.getByText('Connected and signed in. Nothing was sent.').waitFor();
  await field('Your address').fill('me@casino.example');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Sender' }).getByText('It works').waitFor();
  expect(smtp.mails).toMatchObject([{ from: 'casino@malta.example', to: ['me@casino.example'] }]);
  await save.click();
  await page.getByText('Saved. It takes effect within a second.').waitFor();
  await reopen(page);
  expect(await field('SMTP server').inputValue()).toBe('127.0.0.1');
  expect(await field('Port').inputValue()).toBe(String(smtp.port));
  expect(unexpected()).toEqual([]);
});

test('the operator by keyboard: errors at the fields, and each endpoint tested with a wrong and with the right key', async (context) => {
  const operator: SandboxOperator = await startSandboxOperator({ auth: { type: 'api_key', value: 'the right key' } });
  context.onTestFinished(() => operator.stop());
  operator.books.addPlayer('tester-1', { details: { language: 'en' } });
  const { page, unexpected } = await open(context, 'integration/operator');
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  const change = async (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) {
      await field(name).focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
  };
  const settings = page.getByRole('button', { name: /^(Set up the operator|Change settings)$/ });
  await settings.press('Enter');
  await dialog.getByRole('combobox', { name: 'Authentication' }).click();
  await page.getByRole('option', { name: 'API key in a header' }).click();
  await change({ 'Operator API URL': 'nowhere', 'Connection timeout, milliseconds': '1', 'Test user': 'tester-1' });
  await hasError(field('Operator API URL'), /^must be an address that starts with http/);
  await hasFocus(field('Operator API URL'));
  await hasError(field('Connection timeout, milliseconds'), /^must be at least 50$/);
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await change({
    'Operator API URL': operator.url,
    'Connection timeout, milliseconds': '2000',
    Key: 'a wrong key',
    'Session id of the test user': 'session-of-the-tester',
  });
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(operator.url).waitFor();

  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
  const testNow = (name: string) => row(name).getByRole('button', { name: `Test now: ${name}` });
  const closeTest = async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await testNow('user details').press('Enter');
  const answer = dialog.getByRole('region', { name: 'Answer' });
  await answer.getByText('Status 401').waitFor();
  await dialog.getByText('It does not work').waitFor();
  await dialog.getByText('unauthorized', { exact: true }).waitFor();
  await closeTest();

  await settings.press('Enter');
  // The form shows what is stored, but no key.
  expect(await field('Operator API URL').inputValue()).toBe(operator.url);
  expect(await field('Test user').inputValue()).toBe('tester-1');
  expect(await field('Key').inputValue()).toBe('');
  await change({ Key: 'the right key' });
  await dialog.waitFor({ state: 'detached' });
  for (const name of ['user details', 'consents', 'blocks', 'bonus list', 'reconciliation']) {
    await testNow(name).press('Enter');
    await answer.getByText('Status 200').waitFor();
    await dialog.getByText('It works').waitFor();
    await closeTest();
  }
  await testNow('check a session').press('Enter');
  await dialog.getByRole('button', { name: 'Test now' }).press('Enter');
  await dialog.getByText('the session id or the credentials of Croupier were refused').waitFor();
  await closeTest();
  // The last success of each is a time, with its zone.
  const time = row('user details').locator('time').first();
  await expect.poll(() => time.textContent()).toMatch(/\d:\d\d.* (GMT|UTC|CES?T)/);

  // A bonus for the test user: first the exact request, then the id of the player, then one call.
  const credits = () => operator.calls.list().filter(({ endpoint }) => endpoint === 'bonus_credit');
  await testNow('credit a bonus').press('Enter');
  await field('Bonus code').fill('FREE10');
  const request = dialog.getByRole('region', { name: 'Request' });
  await dialog.getByText('Croupier has no event of the test user yet.').waitFor();
  const login = { user_id: 'tester-1', timestamp: new Date().toISOString() };
  const published = await fetch(`${installation.url}/v2/integration/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': installation.key },
    body: JSON.stringify(login),
  });
  expect(published.status, await published.text()).toBe(200);
  await vi.waitFor(() => callApi(installation, 'GET', '/brands/demo/players/tester-1'), { timeout: 20_000 });
  await closeTest();
  await testNow('credit a bonus').press('Enter');
  await field('Bonus code').fill('FREE10');
  await request.getByText('"bonus_code":"FREE10"').waitFor();
  const shown = (await request.textContent()) ?? '';
  const send = dialog.getByRole('button', { name: 'Send this call' });
  await field('Enter tester-1 to confirm').fill('tester-2');
  expect(await send.isDisabled()).toBe(true);
  expect(credits()).toEqual([]);
  await field('Enter tester-1 to confirm').fill('tester-1');
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await send.press('Enter');
  await answer.getByText('Status 200').waitFor({ timeout: 20_000 });
  await dialog.getByText('It works').waitFor();
  await dialog.getByRole('link', { name: 'Show the bonus' }).waitFor();
  expect(credits()).toHaveLength(1);
  expect(shown).toContain(`POST ${operator.url}/bonus/credit`);
  expect(shown).toContain(JSON.stringify(credits()[0]?.body));
  expect(await accessibilityProblemsInBothSchemes(page)).toEqual([]);
  await closeTest();

  // Funds, a consent and a block in the same way. A block last: no bonus is credited to a blocked player.
  await row('write blocks').getByText('Off: the setting “Write blocks to the operator” is off').waitFor();
  await settings.press('Enter');
  await dialog.getByRole('switch', { name: 'Write blocks to the operator' }).press('Space');
  await change({ Key: 'the right key' });
  await dialog.waitFor({ state: 'detached' });
  const writes = [
    {
      name: 'credit funds',
      endpoint: 'bonus_credit_funds',
      typed: { 'Bonus code': 'CASH', Amount: '12.50', Currency: 'eur' },
      body: { user_id: 'tester-1', bonus_code: 'CASH', amount: 12.5, currency: 'EUR' },
    },
    {
      name: 'write consents',
      endpoint: 'userconsents_write',
      typed: {},
      body: { consents: [{ type: 'Email', opted_in: false }] },
    },
    {
      name: 'write blocks',
      endpoint: 'userblocks_write',
      typed: {},
      body: { blocks: [{ type: 'Blocked', active: true, note: 'Test from Integration > Operator endpoints' }] },
    },
  ];
  for (const { name, endpoint, typed, body } of writes) {
    const bodies = () => operator.calls.list().flatMap((call) => (call.endpoint === endpoint ? [call.body] : []));
    await testNow(name).press('Enter');
    for (const [label, value] of Object.entries(typed)) await field(label).fill(value);
    await request.getByText(JSON.stringify(body)).waitFor();
    await field('Enter tester-1 to confirm').fill('tester-1');
    expect(bodies()).toEqual([]);
    await send.press('Enter');
    await answer.getByText('Status 200').waitFor({ timeout: 20_000 });
    await dialog.getByText('It works').waitFor();
    expect(bodies()).toEqual([body]);
    await closeTest();
  }
  expect(unexpected()).toEqual([]);
});

/** The labels above inputs on a page: the number of lines of each label, and the width of its input in pixels. */
const labelsOn = (page: Page): Promise<{ label: string; lines: number; width: number }[]> =>
  page.evaluate(`[...document.querySelectorAll('main label.mantine-InputWrapper-label')].map((label) => ({
    label: label.textContent,
    lines: Math.round(label.offsetHeight / parseFloat(getComputedStyle(label).lineHeight)),
    width: label.control?.offsetWidth,
  }))`);

test.for([
  ['en-US', 'Maximum age of consents and blocks, hours', 'Share of players, percent'],
  ['de-DE', 'Höchstalter von Einwilligungen und Sperren, Stunden', 'Anteil der Spieler, Prozent'],
] as const)('in %s, labels have one line, also if their inputs are short', async ([locale, age, share], context) => {
  const { page, unexpected } = await open(context, 'settings/brand', locale);
  const widths: Record<string, number> = {};
  for (const place of ['settings/brand', 'settings/channels/email', 'compliance/contact-rules']) {
    await visit(page, installation, place);
    const labels = await labelsOn(page);
    for (const { label, width } of labels) widths[label.replace(/ \*$/, '')] = width;
    expect(labels.filter(({ lines }) => lines > 1)).toEqual([]);
  }
  expect(widths).toMatchObject({ [age]: 224, [share]: 224 });
  expect(unexpected()).toEqual([]);
});
