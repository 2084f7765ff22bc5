import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { setupLive } from '../../../testing/site/live/setup-live.ts';

/*
 * Tests the unmodified browser build of the public pusher-js in a real Chromium. Both pages have another origin than the
 * platform: one origin is listed for the brand, the other is not.
 */
const database = await setupDatabase();
const browser = await setupBrowser();
const library = await readFile(createRequire(import.meta.url).resolve('pusher-js/dist/web/pusher.min.js'));

/** A custom front end; the list shows the events that it receives. */
const page = `<!doctype html><meta charset="utf-8"><title>Casino</title><ol></ol><script src="/pusher.js"></script><script>
  const { key, port, channel, sid } = Object.fromEntries(new URLSearchParams(location.search));
  const tell = (text) => document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: text }));
  const pusher = new Pusher(key, {
    cluster: 'eu', wsHost: '127.0.0.1', wsPort: port, forceTLS: false, enabledTransports: ['ws'],
    channelAuthorization: { endpoint: 'http://127.0.0.1:' + port + '/site/' + key + '/external/pusher', headers: { authtoken: sid } },
  });
  pusher.connection.bind('error', ({ error }) => tell('error ' + error.data.code));
  pusher.subscribe(channel)
    .bind('pusher:subscription_succeeded', () => tell('subscribed'))
    .bind('inbox', (record) => tell('inbox ' + record.Title))
    .bind('read', ({ Unread }) => tell('read, unread ' + Unread));
</script>`;

async function serveCasino(): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isLibrary = url === '/pusher.js';
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html').end(isLibrary ? library : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('two tabs at two api processes: a message that is read in one tab is shown as read in both; a page of an unlisted origin gets no socket', async (context) => {
  const origin = await serveCasino();
  const live = await setupLive(database, {}, { site_origins: [origin] });
  const second = await live.another();
  const anna = await live.player('anna');
  const open = async (port: number, at = origin) => {
    const tab = await browser.page(context);
    const query = { key: live.site.brand.code, port: String(port), channel: live.channel(anna), sid: 'sid-of-anna' };
    await tab.goto(`${at}/?${new URLSearchParams(query)}`);
    return tab.locator('li');
  };
  const tabs = await Promise.all([live.first.port, second.port].map((port) => open(port)));
  for (const tab of tabs) await tab.filter({ hasText: 'subscribed' }).waitFor();
  const message = await live.arrive(anna, 'Ten free spins');
  for (const tab of tabs) await tab.nth(1).waitFor();
  await live.first.call('POST', '/Notifications/MarkNotificationAsRead', {
    as: 'sid-of-anna',
    body: { MessageId: message },
  });
  for (const tab of tabs) {
    await tab.nth(2).waitFor();
    expect(await tab.allTextContents()).toEqual(['subscribed', 'inbox Ten free spins', 'read, unread 0']);
  }
  const stranger = await open(live.first.port, origin.replace('127.0.0.1', 'localhost'));
  await stranger.filter({ hasText: 'error 4003' }).waitFor();
});
