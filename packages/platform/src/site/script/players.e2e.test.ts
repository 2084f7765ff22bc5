import { expect, test } from 'vitest';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { type CasinoPage, eventually, listen, setupPage } from '../../../testing/site/script/setup-page.ts';

/* Players sign in and out on one page, one after the other, while the network and the server fail and recover. */
const database = await setupDatabase();
const browser = await setupBrowser();

const run = <T>(casino: CasinoPage, script: string) => casino.page.evaluate<T>(script);
const unread = async (casino: CasinoPage) => (await casino.heard()).findLast(([event]) => event === 'unread')?.[1];
const errors = async (casino: CasinoPage) =>
  (await casino.heard()).filter(([event]) => event === 'error').map(([, detail]) => (detail as { code: string }).code);

test('players one after another, without messages of the others; two tabs; a network failure; a session that ends', {
  timeout: 60_000,
}, async (context) => {
  const { live, root, open } = await setupPage(database, browser);
  const { site } = live;
  const anna = await live.player('anna');
  const bert = await live.player('bert');
  for (const title of ['Anna 1', 'Anna 2', 'Anna 3']) await live.arrive(anna, title);
  await live.arrive(bert, 'Bert 1');
  const casino = await open(
    context,
    `<script>window.dataLayer = [{ sid: 'sid-of-anna' }]; window.crmbrand = '${site.brand.code}';
       window.crm = { integrationVersion: '1.1', inbox: { enable: true, badgeId: '#count' } };</script>`,
  );
  // Loads the script as a tag manager does: on DOM ready, with the sid from the data layer, and without a tag in the page.
  await run(
    casino,
    `(() => { const script = document.createElement('script');
      const { sid } = dataLayer.find((entry) => entry.sid);
      script.onload = () => { window.sid = sid; ${listen} new CrmLoader(); Crm.init(); };
      script.src = '${root}/loader/crm.js'; document.head.append(script); })()`,
  );
  await eventually(() => unread(casino)).toBe(3);

  await context.annotate('the next player, while an answer for the previous player is on its way');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await casino.page.route('**/user-notifications**', async (route) => {
    if (route.request().headers().authtoken !== 'sid-of-bert') await held;
    await route.continue().catch(() => {});
  });
  await live.arrive(anna, 'Anna 4');
  await eventually(() => unread(casino)).toBe(4);
  await run(casino, `heard.length = 0; Crm.logout(); window.sid = 'sid-of-bert'; Crm.init()`);
  await live.arrive(anna, 'Anna 5');
  release();
  await eventually(() => unread(casino)).toBe(1);
  await run(casino, 'Crm.toggleInbox()');
  await eventually(() => casino.page.locator('#crm-widget').textContent()).toContain('Bert 1');
  expect(await casino.page.locator('#crm-widget').textContent()).not.toContain('Anna');
  expect(JSON.stringify(await casino.heard())).not.toContain('Anna');
  await casino.page.unroute('**/user-notifications**');

  await context.annotate('two tabs of the player');
  const tab = await casino.page.context().newPage();
  await tab.goto(casino.page.url());
  await tab.addScriptTag({ url: `${root}/loader/crm.js` });
  await tab.evaluate(`window.sid = 'sid-of-bert'; ${listen} new CrmLoader(); Crm.init().then(() => Crm.toggleInbox())`);
  await tab.getByRole('button', { name: 'Read more' }).click();
  await eventually(() => unread(casino)).toBe(0);

  await context.annotate('the network fails and recovers');
  await casino.page.context().setOffline(true);
  await live.arrive(bert, 'Bert 2');
  await casino.page.context().setOffline(false);
  await eventually(() => unread(casino)).toBe(1);

  await context.annotate('the end of another session, reported late: the sid is valid, and the page continues');
  const before = casino.asked.length;
  await live.tell([{ player_id: bert, kind: 'session_ended', message_id: null }]);
  await eventually(() => casino.asked.slice(before).some((url) => url.endsWith('/LoginAuthToken'))).toBe(true);
  await live.arrive(bert, 'Bert 3');
  await eventually(() => unread(casino)).toBe(2);

  await context.annotate('a refused sid ends the session: reported once, without further calls');
  await run(casino, `heard.length = 0; window.sid = 'forged'; Crm.init()`);
  await eventually(() => errors(casino)).toEqual(['invalid_session']);
  const asked = casino.asked.length;
  await run(casino, `window.dispatchEvent(new Event('online')); window.dispatchEvent(new Event('focus'))`);
  await run(casino, `Crm.track('x').catch((error) => (window.refusal = error.code))`);
  await eventually(() => run(casino, 'window.refusal')).toBe('not_enabled');
  expect(casino.asked.length).toBe(asked);
  expect(casino.thrown).toEqual([]);
});

test('if sockets are blocked, a visible page polls', { timeout: 60_000 }, async (context) => {
  const { live, root, open } = await setupPage(database, browser);
  const carla = await live.player('carla');
  await live.arrive(carla, 'There from the beginning');
  const casino = await open(
    context,
    `<script>window.sid = 'sid-of-carla'; window.crmbrand = '${live.site.brand.code}';
       window.crm = { integrationVersion: '1.1', autoInit: true, inbox: { enable: true } };</script>
     <script src="${root}/loader/crm.js"></script><script>${listen}</script>`,
    { policy: `connect-src ${root}` },
  );
  // This player's clock is two days fast; expiry uses the platform's clock.
  await casino.page.clock.install({ time: Date.now() + 2 * 86_400_000 });
  await run(casino, `new CrmLoader(); 0`);
  await casino.page.clock.runFor(1_000);
  await eventually(() => unread(casino)).toBe(1);
  const Expires = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  await run(casino, `Crm.demoMessage({ Title: 'For an hour', Expires: '${Expires}' })`);
  await live.arrive(carla, 'By poll');
  // The clock advances in steps, because the page aborts a call after 10 s of simulated time, and answers take real time.
  const afterOneSecond = async () => {
    await casino.page.clock.runFor(1_000);
    return casino.heard();
  };
  const byPoll = ['inbox', expect.objectContaining({ Title: 'By poll' })];
  await expect.poll(afterOneSecond, { interval: 250 }).toContainEqual(byPoll);
  await eventually(() => casino.page.getByText('For an hour').count()).toBe(1);
  expect(casino.thrown).toEqual([]);
});
