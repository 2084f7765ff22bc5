import { afterEach, beforeEach, expect, test } from 'vitest';
import { setupBrowser } from '../../packages/platform/testing/browser/browser.ts';
import { createDemo, type Demo } from '../../packages/sandbox/src/demo/demo.ts';
import { ask } from '../../packages/sandbox/test/ask.ts';

/* The pages of the demo in a browser. A script of this test replaces the platform's, so the test decides how it answers. */
const browser = await setupBrowser();
const platformUrl = 'http://127.0.0.1:9';
const script = `
  window.CrmLoader = class {};
  window.state = 'off';
  window.calls = [];
  window.Crm = {
    on() {},
    init: async () => true,
    logout: async () => {},
    profile: async () => ({ Consents: [] }),
    pushState: async () => window.state,
    enablePush: (on) => new Promise((resolve) => { window.calls.push(on); window.answer = resolve; }),
  };`;

let demo: Demo;
let url: string;
beforeEach(async () => {
  demo = createDemo({ auth: { type: 'none' }, platformUrl, key: 'k', rate: 0, players: 1, seed: '1' });
  url = await demo.start();
});
afterEach(() => demo.stop());

async function signIn() {
  const { headers } = await ask(`${url}/api/sign-in`, { body: { user_id: 'maria' } });
  const [name, value] = String(headers['set-cookie']).split(';', 1)[0]?.split('=') ?? [];
  return { name: String(name), value: String(value), url };
}

test('the push button and its sentence follow the state of the device', async (context) => {
  const page = await browser.page(context);
  await page.context().addCookies([await signIn()]);
  await page.route('**/loader/crm.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await page.goto(`${url}/#account`);
  const card = page.locator('#notifications');
  const button = card.getByRole('button');
  const shown = async () => [
    await button.textContent(),
    await button.isEnabled(),
    await card.locator('p').textContent(),
  ];
  const asks = 'For this device. Your browser may ask for permission when you press the button.';

  await expect
    .poll(shown)
    .toEqual(['Notifications are not available', false, 'This casino does not send notifications.']);

  // The player allows notifications in the browser's settings.
  await page.evaluate("window.state = 'unsubscribed'");
  await page.context().grantPermissions(['notifications']);
  await expect.poll(shown).toEqual(['Turn on notifications', true, asks]);

  await button.dblclick();
  expect(await page.evaluate('window.calls')).toEqual([true]);
  expect(await button.isEnabled()).toBe(false);
  await page.evaluate("window.answer('subscribed')");
  await expect
    .poll(shown)
    .toEqual([
      'Turn off notifications',
      true,
      'This device shows our messages, even while no page of this site is open.',
    ]);
  await button.click();
  await page.evaluate("window.answer('unsubscribed')");
  await expect.poll(shown).toEqual(['Turn on notifications', true, asks]);
  expect(await page.evaluate('window.calls')).toEqual([true, false]);
});

test("the live view has the visitor's round; the developers' page says what became of an event", async (context) => {
  const page = await browser.page(context);
  const cookie = await signIn();
  await page.context().addCookies([cookie]);
  await page.route('**/loader/crm.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const headers = { cookie: `${cookie.name}=${cookie.value}` };
  await ask(`${url}/api/spins`, { body: { game_id: 'lucky-lanterns', stake: 100 }, headers });
  await page.goto(`${url}/live`);
  await expect.poll(() => page.locator('#rounds tr').allTextContents()).toEqual([expect.stringMatching(/^mariaLucky/)]);
  expect(await page.locator('#players-shown').textContent()).toBe('4 players, newest activity first.');
  expect(await page.locator('#players tr').first().textContent()).toContain('maria');

  const refusal = {
    status: 400,
    result: 'invalid_event',
    detail: '',
    errors: [{ path: 'amount', message: 'must be a number' }],
  };
  const event = {
    kind: 'payment',
    method: 'POST',
    path: '/v1/integration/payment',
    body: { amount: 'x' },
    at: 0,
    took: 12,
    answers: 1,
    answer: { status: 200, result: 'ok', detail: '', errors: [] },
    refusal: null,
  };
  const events = [
    { ...event, number: 4, state: 'acknowledged' },
    {
      ...event,
      number: 3,
      state: 'acknowledged',
      answers: 9,
      answer: { ...event.answer, result: 'quarantined' },
      refusal,
    },
    { ...event, number: 2, state: 'waiting', answer: refusal, refusal },
    { ...event, number: 1, state: 'waiting', answer: null, answers: 0 },
  ];
  await page.route('**/api/events', (route) => route.fulfill({ json: { events, user_id: 'maria' } }));
  await page.goto(`${url}/#developers`);
  const rows = page.locator('.published details');
  await expect.poll(() => rows.count()).toBe(4);
  const said = await rows.evaluateAll((all) =>
    (all as unknown as { textContent: string }[]).map((row) => row.textContent),
  );
  expect(said).toEqual([
    expect.stringContaining('The platform stored the event after 12 ms (status 200, ok).'),
    expect.stringMatching(/in quarantine.*quarantined.*answered 9 times.*amount: must be a number/s),
    expect.stringMatching(/did not accept the event \(status 400, invalid_event\).*amount: must be a number/s),
    expect.stringContaining('The platform has not answered yet.'),
  ]);
  expect(errors).toEqual([]);
});
