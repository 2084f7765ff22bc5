import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { eventually, listenTo, setupPage } from '../../../testing/site/script/setup-page.ts';

/*
 * Tests two kinds of pages. Pages of the first kind were written for another product: the globals and the file have a brand's own names
 * (setting site_script), and our names do not exist on these pages. Pages of the second kind test a staging version: a script that is
 * loaded from its staging location calls another installation. Here, that is a second installation with its own database, operator and
 * players.
 */
const [database, stagingDatabase] = [await setupDatabase(), await setupDatabase()];
const browser = await setupBrowser();

const site_script = {
  config_name: 'play',
  api_name: 'Play',
  loader_name: 'PlayLoader',
  brand_name: 'playbrand',
  sid_name: 'playsession',
  file_name: 'play',
};
const ourNames = ['crm', 'Crm', 'CrmLoader', 'crmbrand', 'sid'];

const guide = readFileSync(new URL('../../../../../docs/guides/site.md', import.meta.url), 'utf8');
const [, styles = ''] = guide.split('These class names are stable:');
const documented = {
  functions: [...guide.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name).sort(),
  classes: [...new Set(styles.match(/(?<=`)crm-[\w-]+/g))].sort(),
};

/** Collects every class that was ever used in the widget. */
const keepClasses = `
  window.classes = new Set();
  new MutationObserver(() => {
    for (const element of document.querySelectorAll('#crm-widget *')) element.classList.forEach((name) => classes.add(name));
  }).observe(document, { subtree: true, childList: true, attributes: true });`;

test("a brand's own names: every function, and every class that is documented", {
  timeout: 60_000,
}, async (context) => {
  const settings = { site_script, support_contact: 'help@play.example', channel_prefix: 'private-play' };
  const { live, root, open } = await setupPage(database, browser, settings);
  const { code } = live.site.brand;
  await live.player('newcomer');
  const regular = await live.player('regular');
  await Promise.all(Array.from({ length: 31 }, (_, n) => live.arrive(regular, `Message ${n}`, { poke: false })));
  const flags = 'enableEventTracking: true, enablePendingRewards: true, enableCrmIntegration: true';
  const { page, said, thrown, asked, heard } = await open(
    context,
    `<script>window.playbrand = '${code}';
       window.play = { integrationVersion: '1.1', ${flags}, inbox: { enable: true, badgeId: 'count', navBarLogo: '/logo.svg' } };</script>
     <script src="${root}/loader/${code}/play.js"></script>
     <script>${listenTo('Play')} ${keepClasses} new PlayLoader();</script>`,
    { reducedMotion: 'reduce' },
  );
  const run = <T>(script: string) => page.evaluate<T>(script);
  const refusalOf = (call: string) => run(`${call}.then((answer) => answer, ({ code }) => code)`);
  const errors = async () => (await heard()).filter(([event]) => event === 'error').map(([, detail]) => detail);
  const widget = page.locator('#crm-widget');
  const panel = widget.locator('.crm-inbox[open]');
  await run(`document.body.insertAdjacentHTML('beforeend', '<b id="count"></b>')`);

  await context.annotate('before init, and without a session: messages use the names of this page');
  expect(await run('Object.keys(Play).sort()')).toEqual(documented.functions);
  expect(await run(`Promise.allSettled([Play.track('early'), Play.logout()])`)).toMatchObject([
    { reason: { message: 'missing_session' } },
    { status: 'fulfilled' },
  ]);
  await run('Play.toggleInbox()');
  expect(said).toEqual(['[Play] first Play.init()']);
  expect(await run('Play.init()')).toBe(false);
  expect(await errors()).toEqual([{ code: 'missing_session', message: 'window.playsession is not set' }]);

  await context.annotate('a player without messages; the inbox shows the contact address of the brand');
  expect(await run(`window.playsession = 'sid-of-newcomer'; Play.init()`)).toBe(true);
  await run('Play.toggleInbox()');
  await panel.locator('.crm-empty').waitFor();
  await eventually(() => panel.locator('.crm-questions').textContent()).toBe('Questions? Mail us at help@play.example');
  expect(await panel.locator('.crm-questions a').getAttribute('href')).toBe('mailto:help@play.example');
  expect(await run(`Play.track('level_up', { level: 3 })`)).toEqual({ Id: expect.any(String) });
  expect(await run('Play.pendingRewards()')).toEqual([]);
  expect(await refusalOf(`Play.claimReward('1')`)).toEqual(expect.any(String));
  expect(await run('Play.profile()')).toMatchObject({ Consents: expect.any(Array) });
  expect(await run(`Play.setConsent('Email', false)`)).toMatchObject({ Type: 'Email', OptedIn: false });
  expect(await refusalOf('Play.enablePush(false)')).toBe('unsubscribed');
  expect(await run('Play.logout()')).toBe(true);
  await panel.waitFor({ state: 'hidden' });

  await context.annotate('a player with many: the list, a message, a refused deletion, and messages of every kind');
  const own = `play.inbox.contactEmail = 'vip@play.example'`;
  expect(await run(`${own}; window.playsession = 'sid-of-regular'; Play.init()`)).toBe(true);
  await eventually(() => run(`document.getElementById('count').textContent`)).toBe('31');
  await live.arrive(regular, 'Just now');
  await eventually(heard).toContainEqual(['inbox', expect.objectContaining({ Title: 'Just now' })]);
  await widget.locator('.crm-hint').waitFor();
  const [Expires, link] = ['2036-03-09 14:00:00', 'https://play.example/'];
  const more = `CTAButtonText: 'Go', CTAButtonLink: '${link}', CTAButton2Text: 'Later', FooterText: 'Terms', Expires: '${Expires}', ImageUrl: '/a.png'`;
  await run(`Play.demoMessage({ Event: 'shoutout', Title: 'A banner', ${more} })`);
  await widget.locator('.crm-shoutout .crm-close').click();
  await run(`Play.demoMessage({ Title: 'A modal', Message: '<i>Hello</i>', ${more} })`);
  await widget.locator('.crm-modal .crm-close').click();
  await run(
    `Play.demoMessage({ Event: 'inbox', DisplayType: 'silent', Title: 'An entry', ${more} }); Play.toggleInbox()`,
  );
  for (const [type, clientX] of [
    ['pointerdown', 200],
    ['pointermove', 100],
    ['pointercancel', 100],
  ] as const)
    await panel.locator('.crm-entry').first().dispatchEvent(type, { pointerType: 'touch', isPrimary: true, clientX });
  await panel.getByRole('button', { name: 'Read more' }).first().click();
  await eventually(() => panel.locator('.crm-questions').textContent()).toBe('Questions: vip@play.example');
  await panel.locator('.crm-back').click();
  await page.route('**/user-notification/*', (route) =>
    route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' }, body: '{}' }),
  );
  await panel.locator('.crm-entry', { hasText: 'Just now' }).locator('.crm-delete').click();
  await panel.locator('.crm-undo').waitFor();
  // The deletion is sent when another message is opened. Deleting an open message asks for confirmation first.
  await panel.getByRole('button', { name: 'Read more' }).last().click();
  await panel.locator('.crm-header .crm-delete').click();
  await widget.locator('.crm-cancel').click();
  await panel.locator('.crm-problem').waitFor();
  expect((await run<string[]>('[...classes].sort()')).filter((name) => name.startsWith('crm-'))).toEqual(
    documented.classes,
  );

  await context.annotate('the error of a function that is off names the setting that switches it on');
  await run(`window.play = { integrationVersion: '1.1' }; window.playsession = 'sid-of-newcomer'; Play.init()`);
  expect(await refusalOf(`Play.track('x')`)).toBe('not_enabled');
  await run('Play.toggleInbox()');
  expect(said).toContain("[Play] the inbox needs play.inbox.enable = true and play.integrationVersion = '1.1'");
  expect(await errors()).toContainEqual({
    code: 'not_enabled',
    message: 'track needs play.enableEventTracking = true',
  });

  expect(await run(`${JSON.stringify(ourNames)}.filter((name) => name in window)`)).toEqual([]);
  expect(asked.filter((url) => /crm\.js/.test(url))).toEqual([]);
  expect(thrown).toEqual([]);
});

test('the staging location: only the script comes from this installation', { timeout: 60_000 }, async (context) => {
  const staging = await setupPage(stagingDatabase, browser, { code: 'demo' });
  const settings = { code: 'demo', site_script, staging_url: staging.root };
  const { live, root, open } = await setupPage(database, browser, settings);
  const tester = await staging.live.player('tester');
  await staging.live.arrive(tester, 'On staging');
  const configured = "{ integrationVersion: '1.1', autoInit: true, inbox: { enable: true } }";

  for (const [file, api, globals] of [
    ['crm.js', 'Crm', { sid: 'sid', brand: 'crmbrand', config: 'crm' }],
    ['demo/play.js', 'Play', { sid: 'playsession', brand: 'playbrand', config: 'play' }],
  ] as const) {
    await context.annotate(file);
    const sockets: string[] = [];
    const { page, asked, heard, thrown } = await open(context, '');
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await page.evaluate(
      `${globals.sid} = 'sid-of-tester'; ${globals.brand} = 'demo'; ${globals.config} = ${configured}; 0`,
    );
    await page.addScriptTag({ url: `${root}/loader/staging/${file}` });
    await page.evaluate(`${listenTo(api)} new ${api}Loader(); 0`);
    await eventually(heard).toContainEqual(['unread', 1]);
    const here = asked.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length));
    expect(here).toEqual([
      `/loader/staging/${file}`,
      expect.stringMatching(/^\/loader\/app-\w+\.js$/),
      '/loader/staging/demo.json',
    ]);
    await eventually(() => sockets.length).toBeGreaterThan(0);
    expect(sockets.filter((url) => !url.startsWith(staging.root.replace('http', 'ws')))).toEqual([]);

    // If the script cannot find the staging installation, it calls no other installation instead.
    await page.route('**/staging/demo.json', (route) => route.abort());
    expect(await page.evaluate(`${globals.sid} = 'sid-of-nobody'; ${api}.init()`)).toBe(false);
    expect(await heard()).toContainEqual(['error', { code: 'offline', message: 'staging' }]);
    expect(asked.filter((url) => url.startsWith(`${root}/site/`))).toEqual([]);
    expect(thrown).toEqual([]);
  }
  expect(live.site.asked()).toBe(0);
});
