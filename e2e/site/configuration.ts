import { test } from 'vitest';
import { badge, heard, inbox, loaded, outcome, type setupSite, violations } from './site.ts';

/** All texts of the interface, each different from its default. */
const translations = {
  recieved: 'Kam an:',
  validUntil: 'Gilt bis:',
  questionsTop: 'Fragen? Schreib an',
  questionsShort: 'Fragen:',
  deleteMessagePrompt: 'Wirklich löschen?',
  inboxEmpty: 'Nichts da',
  readMore: 'Weiter',
};

const expires = '2036-03-09 14:00:00';

/** Tests every key of docs/reference/interface.md, Endpoints D, in both versions. */
export function configurationTests({ pages, player, send, open, testSid }: Awaited<ReturnType<typeof setupSite>>) {
  test('1.1: every key of the inbox, and every text in its place', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, {
      event: 'inbox',
      title: 'First',
      message: '<p>Body</p>',
      footer_text: 'Terms',
      cta_button_text: 'Go',
      cta_button_link: '/games',
      expires,
    });
    const crm = inbox(
      {
        badgeId: '#badge',
        navBarLogo: pages.picture,
        contactEmail: 'help@casino.test',
        termsAboveButtons: true,
        closeModalOnFogClick: true,
      },
      { translations },
    );
    const page = await open(context, {
      crm,
      player: who,
      // The page's own rule, before the script, takes precedence.
      css: '#crm-widget .crm-title { color: rgb(1, 2, 3) }',
    });
    await page.getByText('1', { exact: true }).waitFor();
    await page.locator('#bell').click();
    const panel = page.locator('.crm-inbox[open]');
    await panel.getByRole('heading', { name: 'First' }).waitFor();
    expect(await panel.locator('.crm-logo').getAttribute('src')).toBe(pages.picture);
    expect(await panel.locator('.crm-questions').textContent()).toBe('Fragen? Schreib an help@casino.test');
    expect(await panel.locator('.crm-times').textContent()).toMatch(/^Kam an: .+Gilt bis: .+2036/s);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.crm-title')).color")).toBe('rgb(1, 2, 3)');

    await panel.getByRole('button', { name: 'Weiter' }).click();
    expect(await panel.locator('.crm-questions').textContent()).toBe('Fragen: help@casino.test');
    const [terms, button] = await Promise.all(
      ['.crm-terms', '.crm-cta'].map((name) => panel.locator(name).boundingBox()),
    );
    expect(terms?.y).toBeLessThan(button?.y ?? 0);
    await page.locator('#badge').waitFor({ state: 'hidden' });

    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog', { name: 'Wirklich löschen?' }).getByRole('button', { name: 'Delete' }).click();
    await panel.getByText('Nichts da').waitFor();
    await page.mouse.click(5, 400);
    await panel.waitFor({ state: 'hidden' });
    expect(await violations(page)).toEqual([]);
  });

  test('1.1: features that are off by default are off, and report that', async (context) => {
    const { expect } = context;
    const page = await open(context, { crm: { integrationVersion: 1.1, autoInit: true }, player: player() });
    await loaded(page);
    for (const call of ["track('x')", 'pendingRewards()', "claimReward('x')", 'profile()']) {
      const code = await page.evaluate(`Crm.${call}.then(() => 'done', (error) => error.code)`);
      expect([call, code]).toEqual([call, 'not_enabled']);
    }
    await page.evaluate('Crm.toggleInbox()');
    expect(await page.locator('.crm-inbox[open]').count()).toBe(0);
    // Defaults of fog, terms and badge: there is no close button, the terms are at the bottom, and nothing is counted.
    await page.evaluate("Crm.demoMessage({ Title: 'T', CTAButtonText: 'Go', FooterText: 'Terms' })");
    const modal = page.locator('.crm-modal[open]');
    const [terms, button] = await Promise.all(
      ['.crm-terms', '.crm-cta'].map((name) => modal.locator(name).boundingBox()),
    );
    expect(terms?.y).toBeGreaterThan(button?.y ?? 0);
    await page.mouse.click(5, 400);
    expect(await modal.isVisible()).toBe(true);
    expect(await badge(page)).toBe('');
  });

  test('1.0, the default: no inbox, one hint, and the three functions on; each of the three flags turns its own function off', async (context) => {
    const { expect } = context;
    const who = player();
    const page = await open(context, { crm: { autoInit: false, inbox: { enable: true } }, player: who });
    const hints: string[] = [];
    page.on('console', (message) => hints.push(message.text()));
    await loaded(page);
    expect(await page.evaluate('Crm.init()')).toBe(true);
    expect(hints.filter((text) => text.includes("crm.integrationVersion = '1.1'"))).toHaveLength(1);
    const results = await page.evaluate(`Promise.all([
      Crm.track('level_up', { level: 3 }), Crm.pendingRewards(), Crm.profile(),
    ])`);
    expect(results).toMatchObject([{ Id: expect.any(String) }, [], { Consents: expect.any(Array) }]);
    // Messages are still shown.
    await send(who, { event: 'shoutout', title: 'For old pages too' });
    await page.locator('.crm-shoutout').getByText('For old pages too').waitFor();
    await page.evaluate('Crm.toggleInbox()');
    expect(await page.locator('.crm-inbox[open]').count()).toBe(0);

    const flags = { enableEventTracking: false, enablePendingRewards: false, enableCrmIntegration: false };
    const crm = JSON.stringify({ integrationVersion: '1.0', ...flags });
    expect(await page.evaluate(`window.crm = ${crm}; window.sid = '${player().sid}'; Crm.init()`)).toBe(true);
    for (const call of ["track('x')", 'pendingRewards()', 'profile()']) {
      expect(await page.evaluate(`Crm.${call}.then(() => 'done', (error) => error.code)`)).toBe('not_enabled');
    }
  });

  test('texts are also read from crm.inbox, but those of crm.translations take precedence', async (context) => {
    const { expect } = context;
    const crm = inbox(
      { inboxEmpty: 'Under inbox', questionsTop: 'Not this' },
      { translations: { questionsTop: 'This' } },
    );
    Object.assign(crm.inbox, { contactEmail: 'help@casino.test' });
    const page = await open(context, { crm, player: player() });
    await page.locator('#bell').click();
    await page.getByText('Under inbox').waitFor();
    expect(await page.locator('.crm-questions').textContent()).toBe('This help@casino.test');
  });

  test('started by hand: nothing happens before Crm.init(), and the sid at that time is used', async (context) => {
    const { expect } = context;
    const [first, second] = [player(), player()];
    await send(first, { event: 'inbox', title: 'For the first' });
    await send(second, { event: 'inbox', title: 'For the second' });
    const page = await open(context, { crm: { ...inbox(), autoInit: false }, player: first });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await loaded(page);
    expect(await page.locator('#crm-widget').count()).toBe(0);
    expect(asked.filter((url) => url.includes('/site/'))).toEqual([]);
    await page.evaluate(`window.sid = '${second.sid}'; Crm.init()`);
    await page.locator('#bell').click();
    await page.getByRole('heading', { name: 'For the second' }).waitFor();
    expect(await page.getByText('For the first').count()).toBe(0);
  });

  test('the test user is signed in from the console, without a request to the operator', async (context) => {
    const page = await open(context, { crm: { ...inbox(), autoInit: false } });
    await loaded(page);
    await page.evaluate(`window.sid = '${testSid}'; Crm.init()`);
    await send({ user_id: 'test-1' }, { event: 'message', title: 'It works' });
    await page.getByRole('dialog', { name: 'It works' }).waitFor();
  });

  test('calls that are made before a late script is ready are answered', async (context) => {
    const who = player();
    const page = await open(context, { crm: { ...inbox(), autoInit: false }, player: who, script: 'late' });
    await page.waitForLoadState('load');
    await page.evaluate(`addScript().then(() => { Crm.demoMessage({ Title: 'Early' }); Crm.init(); })`);
    await page.getByRole('dialog', { name: 'Early' }).waitFor();
  });

  test('a page with two tags and two loaders has one widget and one socket, and shows each message once', async (context) => {
    const { expect } = context;
    const who = player();
    const page = await open(context, { crm: inbox(), player: who, script: 'twice' });
    await page.reload({ waitUntil: 'commit' });
    // Sockets that the page opened before the reload are not counted.
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await loaded(page);
    await page.evaluate('Crm.init()');
    await send(who, { event: 'shoutout', title: 'Once' });
    await page.getByText('Once').waitFor();
    expect(await page.locator('#crm-widget').count()).toBe(1);
    expect(await page.getByText('Once').count()).toBe(1);
    expect(sockets).toHaveLength(1);
    await expect.poll(() => heard(page, 'shoutout')).toMatchObject([{ Title: 'Once' }]);
  });

  test("no sid, an unknown sid, an unknown brand: reported as an error, and no player's data is shown", async (context) => {
    const { expect } = context;
    const page = await open(context, { crm: inbox() });
    const refused = async (code: string) => {
      await outcome(page, 'window.heard.some(([event]) => event === "error")');
      expect(await heard(page, 'error')).toMatchObject([{ code }]);
      expect(await badge(page)).toBe('');
    };
    await refused('missing_session');
    await page.evaluate("window.heard = []; window.sid = 'nobody-has-this-one'; Crm.init()");
    await refused('invalid_session');
    await page.evaluate("window.heard = []; window.crmbrand = 'nowhere'; Crm.init()");
    await refused('unknown_brand');
  });
}
