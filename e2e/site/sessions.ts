import { test } from 'vitest';
import { badge, heard, inbox, type setupSite } from './site.ts';

/** Tests signing in and out on one page, and sessions that end automatically. */
export function sessionTests({ player, send, open, operator, publish }: Awaited<ReturnType<typeof setupSite>>) {
  test('after a logout and a login as another player, no data of the first player is left or arrives', async (context) => {
    const { expect } = context;
    const [first, second] = [player(), player()];
    await send(first, { event: 'inbox', title: 'Secret of the first' });
    await send(second, { event: 'inbox', title: 'Of the second' });
    const page = await open(context, { crm: inbox(), player: first });
    await page.locator('#bell').click();
    await page.getByRole('heading', { name: 'Secret of the first' }).waitFor();

    await page.evaluate('Crm.logout()');
    expect(await page.getByText('Secret of the first').count()).toBe(0);
    expect(await badge(page)).toBe('');
    await page.evaluate(`window.sid = '${second.sid}'; Crm.init()`);
    await page.evaluate('Crm.toggleInbox()');
    await page.getByRole('heading', { name: 'Of the second' }).waitFor();

    await send(first, { event: 'message', title: 'Late for the first' });
    await send(second, { event: 'shoutout', title: 'Now for the second' });
    await page.getByText('Now for the second').waitFor();
    expect(await page.content()).not.toContain('for the first');
    expect(await page.content()).not.toContain('Secret');
    expect((await heard(page, 'message')).length).toBe(0);
  });

  test('a session that ends at the operator empties the page', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, { event: 'inbox', title: 'Still there' });
    const page = await open(context, { crm: inbox(), player: who });
    await page.locator('#bell').click();
    await page.getByRole('heading', { name: 'Still there' }).waitFor();
    operator.books.expire({ sid: who.sid });
    await publish('/v2/integration/logout', { user_id: who.user_id, timestamp: new Date().toISOString() });
    await page.locator('.crm-empty', { hasText: 'could not be loaded' }).waitFor();
    expect(await page.getByText('Still there').count()).toBe(0);
    expect(await badge(page)).toBe('');
    expect(await heard(page, 'error')).toMatchObject([{ code: 'invalid_session' }]);
    // A new session of the same player restores all of it.
    operator.books.signIn(who.user_id, `${who.sid}-again`);
    await page.evaluate(`window.sid = '${who.sid}-again'; Crm.init()`);
    await page.evaluate('Crm.toggleInbox()');
    await page.getByRole('heading', { name: 'Still there' }).waitFor();
  });

  test('an exclusion ends contact immediately: the inbox empties, and nothing more arrives', async (context) => {
    const { expect } = context;
    const who = player();
    await send(who, { event: 'inbox', title: 'An offer' });
    const page = await open(context, { crm: inbox(), player: who });
    await page.locator('#bell').click();
    await page.getByRole('heading', { name: 'An offer' }).waitFor();
    operator.books.change(who.user_id, { blocks: [{ type: 'Excluded', active: true, note: 'asked for' }] });
    await publish('/v2/integration/login', { user_id: who.user_id, timestamp: new Date().toISOString() });
    await page.locator('.crm-empty', { hasText: 'could not be loaded' }).waitFor();
    expect(await page.getByText('An offer').count()).toBe(0);
    expect(await page.evaluate('Crm.init()')).toBe(false);
  });

  test('two tabs of one player show the same: a message arrives, is read, is deleted, and is counted in both', async (context) => {
    const who = player();
    const pages = await Promise.all([1, 2].map(() => open(context, { crm: inbox(), player: who })));
    const [one, two] = pages;
    if (one === undefined || two === undefined) throw new Error('no tabs');
    await Promise.all(pages.map((page) => page.locator('#bell').click()));
    await send(who, { event: 'inbox', display_type: 'silent', title: 'In both' });
    for (const page of pages) await page.locator('.crm-unread', { hasText: '1 unread' }).waitFor();
    await one.getByRole('button', { name: 'Read more' }).click();
    await two.locator('#badge').waitFor({ state: 'hidden' });
    await two.getByRole('button', { name: 'Delete' }).click();
    await two.getByRole('button', { name: 'Close' }).click();
    await one.getByText('There is currently no messages in your inbox').waitFor();
  });

  test('a deletion that can still be undone is stored when the player leaves the page', async (context) => {
    const who = player();
    await send(who, { event: 'inbox', display_type: 'silent', title: 'Unwanted' });
    const page = await open(context, { crm: inbox(), player: who });
    await page.locator('#bell').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: Unwanted').waitFor();
    await page.reload();
    await page.locator('#bell').click();
    await page.getByText('There is currently no messages in your inbox').waitFor();
  });
}
