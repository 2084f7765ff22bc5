import { expect, test } from 'vitest';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { eventually, listen, setupPage } from '../../../testing/site/script/setup-page.ts';

const database = await setupDatabase();
const browser = await setupBrowser();
const { pool } = database;

test('a message that was closed with the x is not marked as read', async (context) => {
  const { live, root, open } = await setupPage(database, browser);
  const anna = await live.player('anna');
  const id = await live.arrive(anna, 'A modal', { poke: false });
  await pool.query(`update notification set event = 'message' where message_id = $1`, [id]);
  const html = `<script>window.sid = 'sid-of-anna'; window.crmbrand = '${live.site.brand.code}';
      window.crm = { integrationVersion: '1.1', autoInit: true, inbox: { enable: true } };</script>
    <script src="${root}/loader/crm.js" onload="new CrmLoader()"></script>`;
  const { page } = await open(context, html);
  const close = page.locator('#crm-widget .crm-modal .crm-close');
  await close.waitFor();
  // Waits for any report that the page sends once the message is closed.
  const told = page.waitForResponse((response) => /Activity|MarkNotificationAsRead/.test(response.url()), {
    timeout: 30_000,
  });
  await close.click();
  await told;
  const { rows } = await pool.query('select read_at from notification where message_id = $1', [id]);
  expect(rows).toEqual([{ read_at: null }]);
});

test("a player's actions on messages are stored separately: closing with the x is not reading", {
  timeout: 60_000,
}, async (context) => {
  const { live, root, open } = await setupPage(database, browser);
  const anna = await live.player('anna');
  const message = async (event: string, title: string, link = '') => {
    const id = await live.arrive(anna, title, { poke: false });
    // Inbox messages are silent here. Otherwise the page shows a hint if the socket announces them while the page reads its first list.
    await pool.query(
      `update notification set event = $2, display_type = case $2 when 'inbox' then 'silent' else display_type end,
              cta_button_text = case when $3 = '' then '' else 'Go' end, cta_button_link = $3
        where message_id = $1`,
      [id, event, link],
    );
    return id;
  };
  const [modal, followed, banner, listed, opened] = [
    await message('message', 'A modal'),
    await message('message', 'Another modal', '#there'),
    await message('shoutout', 'A banner'),
    await message('inbox', 'Listed'),
    await message('inbox', 'Opened'),
  ];
  /** The reports about a message, in the order of the columns below. */
  const toldOf = async (id: number) => {
    const { rows } = await pool.query<{ told: string[] }>(
      `select array_remove(array[case when shown_at is not null then 'shown' end, case when read_at is not null then 'read' end,
                case when clicked_at is not null then 'clicked' end, case when closed_at is not null then 'closed' end], null) as told
         from notification where message_id = $1`,
      [id],
    );
    return rows[0]?.told;
  };
  const html = `<script>window.sid = 'sid-of-anna'; window.crmbrand = '${live.site.brand.code}';
      window.crm = { integrationVersion: '1.1', autoInit: true, inbox: { enable: true } };</script>
    <script src="${root}/loader/crm.js" onload="new CrmLoader(); ${listen.replaceAll('"', '&quot;')}"></script>`;
  const { page, thrown } = await open(context, html);
  const widget = page.locator('#crm-widget');

  const title = () => widget.locator('.crm-modal .crm-heading').textContent();
  await eventually(title).toBe('A modal');
  await eventually(() => toldOf(banner)).toEqual(['shown']);
  await widget.locator('.crm-modal .crm-close').click();
  await eventually(title).toBe('Another modal');
  await widget.locator('.crm-modal .crm-cta').click();
  await widget.locator('.crm-shoutout .crm-close').click();
  await eventually(() => Promise.all([modal, followed, banner].map(toldOf))).toEqual([
    ['shown', 'closed'],
    ['shown', 'read', 'clicked'],
    ['shown', 'closed'],
  ]);
  expect(page.url()).toContain('#there');
  expect(await toldOf(listed)).toEqual([]);
  await page.evaluate('Crm.toggleInbox()');
  await widget.locator('.crm-entry', { hasText: 'Opened' }).locator('.crm-read-more').click();
  await eventually(() => Promise.all([listed, opened].map(toldOf))).toEqual([['shown'], ['shown', 'read']]);

  await context.annotate('on the next page, nothing that was closed is shown again');
  await page.reload();
  const last = await live.arrive(anna, 'News');
  await pool.query(`update notification set event = 'message' where message_id = $1`, [last]);
  await page.reload();
  await eventually(title).toBe('News');
  expect(await widget.locator('.crm-modal, .crm-shoutout').count()).toBe(1);
  expect(thrown).toEqual([]);
});
