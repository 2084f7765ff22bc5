import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { setupEmail, testTokens } from '../../../testing/channels/email/setup-email.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import type { Brand } from '../../brands/index.ts';
import { createHttpServer } from '../../http/server.ts';
import { trackedPaths, trackedRoutes } from './routes.ts';

/* Follows tracked links and pictures from the e-mail that a real SMTP server receives to the page to which the link leads. */
const { pool } = await setupDatabase();
const message_tracking = { email_clicks: true, email_opens: true, forbidden_in: ['DE'] };
const setup = await setupEmail(pool, { settings: { message_tracking } });
const plain = await setupEmail(pool, { server: setup.server });

async function serve(brand: Brand, clock = setup.clock) {
  const app = await createHttpServer({ edge: () => false, log: testLog, pagePaths: trackedPaths });
  const brands = { byId: (id: number) => (id === brand.brand_id ? brand : undefined) };
  await app.register(trackedRoutes({ pool, clock: clock.now, log: testLog, brands, tokens: testTokens }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return (path: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers, redirect: 'manual' });
}
const call = await serve(setup.brand);

const html =
  '<!doctype html><html><body><p><a href="https://casino.example/spins?a=1&amp;b=2">Spins</a> <a href="https://casino.example/terms">Terms</a></p></body></html>';
const text = 'Spins: https://casino.example/spins?a=1&b=2.';

/** @returns what the server received, decoded, and the paths in it */
async function sent(country: string | null = 'MT', by = setup, words = { html, text }) {
  const player_id = await by.player();
  await pool.query('update player_profile set country = $2 where player_id = $1', [player_id, country]);
  const message_id = await by.email(player_id, { ...words, campaign_id: 'spring' });
  const arrival = by.server.next();
  await by.run();
  const { raw } = await arrival;
  const mail = raw.toString('utf8').replace(/=\r\n/g, '').replace(/=3D/g, '=');
  const paths = [...mail.matchAll(/https:\/\/crm\.example(\/[to]\/[\w-]+)/g)].map(([, path = '']) => path);
  return {
    player_id,
    message_id,
    mail,
    clicks: paths.filter((path) => path.startsWith('/t')),
    open: paths.find((path) => path.startsWith('/o')),
  };
}
const reportsOf = async (playerId: number) => {
  const { rows } = await pool.query(
    `select body ->> 'what' as what, body ->> 'link' as link from message_report where player_id = $1 order by heard_at, what, link`,
    [playerId],
  );
  return rows;
};

describe('a link in an e-mail', () => {
  test('leads to the target of the stored e-mail, and each link is reported once', async () => {
    const { player_id, clicks } = await sent();
    // The HTML part has two links. The plain part has the same address for the same target.
    expect([clicks.length, new Set(clicks).size]).toEqual([3, 2]);
    for (let time = 0; time < 2; time++) {
      const answer = await call(clicks[0] ?? '');
      expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://casino.example/spins?a=1&b=2']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
    const other = clicks.find((path) => path !== clicks[0]) ?? '';
    expect((await call(other)).headers.get('location')).toBe('https://casino.example/terms');
    expect(await reportsOf(player_id)).toEqual([
      { what: 'clicked', link: '1' },
      { what: 'clicked', link: '2' },
    ]);
  });

  test('may contain a name with letters that are not ASCII', async () => {
    const named = (name: string) => ({ html: html.replace('a=1', `a=${name}`), text: '' });
    for (const name of ['Łukasz', 'Jürgen']) {
      const { clicks } = await sent('MT', setup, named(name));
      const answer = await call(clicks[0] ?? '');
      const location = `https://casino.example/spins?a=${encodeURIComponent(name)}&b=2`;
      expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
    }
  });

  test('leads only to its target, whatever is requested', async () => {
    const { player_id, clicks, open = '' } = await sent();
    const [path = ''] = clicks;
    const token = path.slice(3, -2);
    for (const wrong of [
      `/t/${token}-3`,
      `/t/${token}-0`,
      `/t/${token}`,
      `/t/${token}x-1`,
      `/t/${token.replace(/.$/, (end) => (end === '0' ? '1' : '0'))}-1`,
      // A picture's token is not valid for a link.
      `/t/${open.slice(3)}-1`,
      '/t/https%3A%2F%2Fevil.example',
      `/t/${'x'.repeat(600)}`,
    ]) {
      const answer = await call(wrong);
      expect([wrong, answer.status, answer.headers.get('location')]).toEqual([wrong, 404, null]);
      expect(await answer.text()).toContain('This link does not work');
    }
    expect((await call(`${path}?url=https://evil.example`)).headers.get('location')).toContain(
      'https://casino.example/',
    );
    expect(await reportsOf(player_id)).toEqual([{ what: 'clicked', link: '1' }]);
  });

  test('that a program prefetches, or requests with HEAD, reports nothing; no call withdraws a consent', async () => {
    const { player_id, clicks, open = '' } = await sent();
    const ahead = { headers: { 'sec-purpose': 'prefetch;prerender' } };
    for (const path of [...clicks, open]) {
      await call(path, ahead);
      await call(path, { method: 'HEAD' });
      await call(path, { headers: { 'x-purpose': 'preview' } });
    }
    expect(await reportsOf(player_id)).toEqual([]);
    for (const path of [...clicks, open]) await call(path);
    const { rows } = await pool.query(`select opted_in from player_consent where player_id = $1 and not opted_in`, [
      player_id,
    ]);
    expect(rows).toEqual([]);
    expect((await call(clicks[0] ?? '', { method: 'POST' })).status).toBe(405);
  });

  test('stops working when its e-mail is deleted', async () => {
    const { clicks, message_id } = await sent();
    await pool.query(`update email_message set html = '', plain = '' where message_id = $1`, [message_id]);
    expect((await call(clicks[0] ?? '')).status).toBe(404);
    await pool.query('delete from email_message where message_id = $1', [message_id]);
    expect((await call(clicks[0] ?? '')).status).toBe(404);
  });

  test('for unsubscribing is not tracked', async () => {
    const { mail } = await sent();
    expect(mail).toMatch(/List-Unsubscribe:\s+<https:\/\/crm\.example\/unsubscribe\/\w+>/);
  });
});

test('the picture is reported once, and is not cached', async () => {
  const { player_id, open = '' } = await sent();
  for (let time = 0; time < 2; time++) {
    const answer = await call(open);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 6)
        .toString(),
    ).toBe('GIF89a');
  }
  expect(await reportsOf(player_id)).toEqual([{ what: 'opened', link: null }]);
});

describe('nothing is tracked', () => {
  test('unless the brand switches it on', async () => {
    const { mail } = await sent('MT', plain);
    expect(mail).not.toMatch(/crm\.example\/[to]\//);
    expect(mail).toContain('href="https://casino.example/terms"');
  });

  test.each(['DE', 'de', null])(
    'for a player in %s, where the brand forbids it, or in no known country',
    async (country) => {
      const { mail } = await sent(country);
      expect(mail).not.toMatch(/crm\.example\/[to]\//);
    },
  );

  test('after the player has moved there; the link still works', async () => {
    const { player_id, clicks, open = '' } = await sent();
    await pool.query(`update player_profile set country = 'DE' where player_id = $1`, [player_id]);
    expect((await call(clicks[0] ?? '')).status).toBe(302);
    expect((await call(open)).status).toBe(200);
    expect(await reportsOf(player_id)).toEqual([]);
  });
});

test('a caller that guesses tokens must wait; valid calls do not count', async () => {
  const own = await serve(setup.brand);
  const { open = '' } = await sent();
  for (let time = 0; time < 110; time++) expect((await own(open)).status).toBe(200);
  const statuses = new Set<number>();
  for (let time = 0; time < 101; time++) statuses.add((await own('/o/1-1-00000000000000000000')).status);
  expect([...statuses]).toEqual([404, 429]);
});
