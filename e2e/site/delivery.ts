import { test } from 'vitest';
import { badge, heard, inbox, outcome, type setupSite } from './site.ts';

/** Tests messages that are live, late or recalled, and inboxes with many messages. */
export function deliveryTests({ player, send, copy, open, crm }: Awaited<ReturnType<typeof setupSite>>) {
  test('a message arrives, is counted and reported to the page with its Data, and a recall removes it', async (context) => {
    const { expect } = context;
    const who = player();
    const page = await open(context, { crm: inbox(), player: who });
    await page.locator('#bell').click();
    await page.getByText('There is currently no messages in your inbox').waitFor();
    const data = { campaign: 'spring', deep: { numbers: [1, 2.5] } };
    const message_id = await send(who, { event: 'inbox', title: 'Here', data });
    await page.getByRole('heading', { name: 'Here' }).waitFor();
    const [told] = await heard(page, 'inbox');
    expect(told).toMatchObject({
      MessageId: message_id,
      Title: 'Here',
      Data: data,
      IsRead: false,
      DisplayType: 'push',
    });
    expect((await heard(page, 'unread')).at(-1)).toBe(1);
    await crm.post(`messages/${message_id}/recall`, {});
    await page.getByText('There is currently no messages in your inbox').waitFor();
    expect(await badge(page)).toBe('');
  });

  test('a page that was offline still shows its messages, and then gets those that were sent meanwhile', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, { event: 'inbox', title: 'From before' });
    const page = await open(context, { crm: inbox(), player: who });
    await page.locator('#bell').click();
    await page.getByRole('heading', { name: 'From before' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('Not up to date').waitFor();
    // A deletion while the page is offline is shown first. Then it is reverted with a notice, because it cannot be stored.
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('alert').getByText('could not be deleted').waitFor();
    await page.locator('#bell').click();
    await page.getByRole('heading', { name: 'From before' }).waitFor();
    await send(who, { event: 'inbox', title: 'From meanwhile' });
    expect(await page.getByText('From meanwhile').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'From meanwhile' }).waitFor();
    await page.getByText('Not up to date').waitFor({ state: 'hidden' });
  });

  test('if sockets are blocked, the page polls', async (context) => {
    const who = player();
    const page = await open(context, { crm: inbox(), player: who, script: 'late' });
    await page.evaluate('window.WebSocket = class { constructor() { throw new Error("blocked"); } }; addScript()');
    await page.locator('#bell').click();
    await page.getByText('There is currently no messages in your inbox').waitFor();
    await send(who, { event: 'inbox', title: 'By polling' });
    // When the player returns to the page, it polls only if the last poll is old. When the network is back, it always
    // polls.
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.getByRole('heading', { name: 'By polling' }).waitFor();
  });

  test('all of 200 messages are counted, and the oldest can be reached', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, { event: 'inbox', title: 'The oldest' });
    await copy(await send(who, { event: 'inbox', title: 'A later one', preview_text: 'A word about it' }), 198);
    const page = await open(context, { crm: inbox(), player: who });
    await page.locator('#bell').click();
    await page.locator('.crm-unread', { hasText: '200 unread' }).waitFor();
    expect(await badge(page)).toMatch(/^(99\+|200)$/);
    const older = page.getByRole('button', { name: 'Show older messages' });
    while (await older.isVisible()) {
      const before = await page.locator('.crm-entry').count();
      await older.click();
      await outcome(page, `document.querySelectorAll('.crm-entry').length > ${before}`);
    }
    expect(await page.locator('.crm-entry').count()).toBe(200);
    await page.getByRole('listitem').last().getByRole('button', { name: 'Read more' }).click();
    await page.locator('.crm-detail').getByRole('heading', { name: 'The oldest' }).waitFor();
    await outcome(page, 'window.heard.at(-1)[1] === 199');
  });
}
