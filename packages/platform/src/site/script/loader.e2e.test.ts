import { expect, test } from 'vitest';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { eventually, listen, setupPage } from '../../../testing/site/script/setup-page.ts';

/*
 * Tests the script in pages that we do not control. Whatever they configure, forbid or call, the script throws nothing and sends
 * requests to the platform only. Each test has several pages, because starting a process with sockets and a browser takes longer
 * than using it.
 */
const database = await setupDatabase();
const browser = await setupBrowser();

test('a page may call before it is ready, load it twice, forbid nearly everything, and change whatever it returns', {
  timeout: 60_000,
}, async (context) => {
  const { live, root, open } = await setupPage(database, browser);
  const { code } = live.site.brand;
  const playerId = await live.player('p-1');
  await live.arrive(playerId, 'The first message');
  const signedIn = `window.sid = 'sid-of-p-1'; window.crmbrand = '${code}';`;
  const loader = `<script src="${root}/loader/crm.js"></script>`;

  await context.annotate('calls before init, and two loaders');
  const early = await open(
    context,
    `<script>${signedIn} window.crm = { integrationVersion: 1.1, inbox: { enable: true }, enableEventTracking: true };</script>
     ${loader}
     <script>${listen}
       window.order = [];
       const note = (name) => (answer) => order.push([name, answer]);
       Crm.track('early', { step: 1 }).then(note('track'), (error) => order.push(['track', error.code]));
       Crm.profile().catch((error) => order.push(['profile', error.code]));
       Crm.pendingRewards();
       Crm.on('inbox', () => { throw new Error('a handler of the page'); });
       Crm.on('nothing', 'no function')();
       window.same = [new CrmLoader() === new CrmLoader(), CrmLoader() instanceof CrmLoader];
       window.before = Crm;
       Crm.demoMessage({ Title: 'A demo' });
       Crm.init().then(note('init'));
       Crm.init().then(note('init again'));
     </script>
     ${loader}<script>same.push(Crm === before);</script>`,
  );
  const order = () => early.page.evaluate('window.order');
  await eventually(order).toEqual(
    expect.arrayContaining([
      ['profile', 'not_enabled'],
      ['track', expect.anything()],
      ['init', true],
      ['init again', true],
    ]),
  );
  expect(await early.page.evaluate('window.same')).toEqual([true, true, true]);
  await eventually(() => early.heard()).toContainEqual(['unread', 1]);
  await live.arrive(playerId, 'The second message');
  await eventually(() => early.heard()).toEqual(
    expect.arrayContaining([
      ['message', expect.objectContaining({ Title: 'A demo' })],
      ['inbox', expect.objectContaining({ Title: 'The second message' })],
      ['error', expect.objectContaining({ code: 'not_enabled' })],
    ]),
  );
  expect(early.asked.filter((url) => url.includes('/loader/app-'))).toHaveLength(1);
  expect(early.asked.filter((url) => !url.startsWith(root))).toEqual(['https://casino.example/']);
  // The page's handler fails once per event. The first message is also an event if it arrives by socket before the list has it.
  const inboxEvents = (await early.heard()).filter(([name]) => name === 'inbox');
  expect(early.said.filter((line) => line.includes('a handler of the page'))).toHaveLength(inboxEvents.length);
  expect(early.thrown).toEqual([]);

  await context.annotate('a logout, one player, and the next one, all before the app has loaded');
  await live.arrive(await live.player('p-2'), 'Of the second player');
  const swift = await open(
    context,
    `<script>window.crmbrand = '${code}'; window.crm = { integrationVersion: '1.1', inbox: { enable: true } };</script>${loader}`,
  );
  const logouts: unknown[] = [];
  swift.page.on('request', (request) => {
    if (request.url().endsWith('/Crm/Logout')) logouts.push([request.url(), request.headers().authtoken]);
  });
  const answers = await swift.page.evaluate(`(() => { ${listen}
    const first = Crm.logout();
    window.sid = 'sid-of-p-1'; const second = Crm.init(); const third = Crm.logout();
    window.sid = 'sid-of-p-2'; return Promise.all([first, second, third, Crm.init()]);
  })()`);
  expect(answers).toEqual([undefined, false, true, true]);
  expect(logouts).toEqual([[`${root}/site/${code}/Crm/Logout`, 'sid-of-p-1']]);
  await eventually(() => swift.heard()).toContainEqual(['unread', 1]);
  const drawn = await swift.page.locator('#crm-widget > *').first().elementHandle();
  expect(await swift.page.evaluate('Crm.init()')).toBe(true);
  expect(await drawn?.evaluate((element) => element.isConnected)).toBe(true);
  expect(swift.thrown).toEqual([]);

  await context.annotate('a strict policy with trusted types, isolation, and storage that throws');
  const strict = await open(
    context,
    `<script nonce="n0nce">
       for (const name of ['localStorage', 'sessionStorage'])
         Object.defineProperty(window, name, { get() { throw new Error('no storage'); } });
       ${signedIn} window.crm = Object.freeze({ integrationVersion: '1.1', autoInit: true, inbox: Object.freeze({ enable: true }) });
     </script>
     <script nonce="n0nce" src="${root}/loader/crm.js"></script>
     <script nonce="n0nce">${listen} new CrmLoader();
       Crm.demoMessage({ Message: '<p onmouseover="heard.push(1)" style="color: red">Hi</p>' });
     </script>`,
    {
      policy: [
        "default-src 'none'; script-src 'nonce-n0nce' 'strict-dynamic'; style-src 'self'; require-trusted-types-for 'script'",
        `trusted-types crm; connect-src ${root} ${root.replace('http', 'ws')}; img-src ${root}`,
      ].join('; '),
      headers: { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' },
    },
  );
  await eventually(() => strict.heard()).toContainEqual(['unread', 2]);
  await eventually(() => strict.page.locator('#crm-widget').getByText('Hi').count()).toBe(1);
  expect(await strict.page.evaluate('window.crossOriginIsolated')).toBe(true);
  await strict.page.getByText('Hi').hover();
  expect(await strict.heard()).not.toContain(1);
  expect(strict.said).toEqual([]);
  expect(strict.thrown).toEqual([]);

  await context.annotate('a policy that forbids our trusted types: one error, and nothing else happens');
  const forbidden = await open(
    context,
    `<script nonce="n0nce">${signedIn}</script><script nonce="n0nce" src="${root}/loader/crm.js"></script>
     <script nonce="n0nce">${listen} Crm.init();</script>`,
    { policy: "script-src 'nonce-n0nce' 'strict-dynamic'; require-trusted-types-for 'script'; trusted-types other" },
  );
  await eventually(() => forbidden.heard()).toEqual([
    ['error', { code: 'trusted_types', message: expect.stringContaining('trusted-types crm') }],
  ]);
  expect(forbidden.thrown).toEqual([]);

  await context.annotate('a configuration that throws when it is read');
  const traps = await open(
    context,
    `<img name="currentScript"><script>
       const trap = { get() { throw new Error('a trap'); } };
       window.crm = new Proxy({}, { get() { throw new Error('a trap'); }, ownKeys() { throw new Error('a trap'); } });
       Object.defineProperty(window, 'sid', trap);
       window.crmbrand = { toString: null };
     </script>${loader}<script>${listen} new CrmLoader(); Crm.init(); Crm.toggleInbox(); Crm.demoMessage(null); Crm.logout();</script>`,
  );
  await eventually(() => traps.heard()).toContainEqual(['error', expect.objectContaining({ code: 'missing_brand' })]);
  expect(traps.thrown).toEqual([]);
});
