import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { answer, startProvider } from '../../../testing/channels/calls/start-provider.ts';
import { testTokens } from '../../../testing/channels/email/setup-email.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { eraserOf } from '../../../testing/privacy/setup-privacy.ts';
import { readCampaigns, readResults } from '../../campaigns/index.ts';
import {
  CallSender,
  callTransport,
  readCall,
  readSettings,
  writeChannelSettings,
  writeTemplate,
} from '../../channels/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { createHttpServer } from '../../http/server.ts';
import { requestErasure } from '../../privacy/index.ts';
import { ReportPublisher } from '../../replies/index.ts';
import { trackedPaths, trackedRoutes } from './routes.ts';

/* Follows short links in SMS from a campaign, through the SMS that a real HTTP provider receives, to the page and to the results. */
const provider = await startProvider(answer(200, '{}'));
const setup = await setupCampaigns({
  brand: { message_tracking: { sms_clicks: true, forbidden_in: ['DE'] } },
});
const { pool, brand, brands, clock, ledger } = setup;
const { brand_id } = brand;
const publicUrl = 'https://crm.example';

const sms = readSettings(
  'sms',
  {
    provider: 'http',
    url: `${provider.origin}/sms`,
    body: '{"ref": "{{ message_id }}", "parts": {{ parts }}, "text": {{ text | json }}}',
    per_second: 1_000,
  },
  null,
);
if (!sms.ok) throw new Error('the settings are wrong');
await writeChannelSettings(pool, testVault, brand, 'sms', sms.settings, { at: clock.now(), by: 'a test' });
const sender = new CallSender({
  pool,
  vault: testVault,
  gate: setup.gate,
  transport: callTransport(),
  tokens: testTokens,
  publicUrl,
  clock: clock.now,
  log: testLog,
  brands,
});
const publisher = new ReportPublisher({ pool, ledger, clock: clock.now, log: testLog });
const app = await createHttpServer({ edge: () => false, log: testLog, pagePaths: trackedPaths });
await app.register(trackedRoutes({ pool, clock: clock.now, log: testLog, brands, tokens: testTokens }));
await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(async () => {
  await sender.stop();
  await publisher.stop();
  await app.close();
  await provider.stop();
});
const { port } = app.server.address() as AddressInfo;
const call = (path: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, headers, redirect: 'manual' });

const target = `https://casino.example/spins?player=4711&from=${'a'.repeat(150)}`;
const text = `Ten spins: ${target}, terms: https://casino.example/terms`;
await transaction(pool, (tx) =>
  writeTemplate(
    tx,
    brand,
    { code: 'spins', name: 'Spins', channel: 'sms', purpose: 'service', content: { en: { text } } },
    { expected: undefined, by: 'a test', at: clock.now() },
  ),
);
await setup.campaign({
  code: 'spins',
  name: 'Spins',
  purpose: 'service',
  entry: { event: 'payment' },
  steps: [{ id: 'first-sms', send: { channel: 'sms', template: 'spins' } }],
});

let players = 0;
/** @returns the SMS that the provider received after a deposit of the player, and the paths in it */
async function sent(country: string | null = 'MT') {
  const user_id = `player-${++players}`;
  const player_id = await setup.reader(user_id);
  await pool.query(`update player_profile set country = $2, mobile_prefix = '+356', mobile = $3 where player_id = $1`, [
    player_id,
    country,
    `99${100_000 + players}`,
  ]);
  const timestamp = timestamptzText(clock.now());
  await setup.publish({ kind: 'payment', body: paymentBody({ user_id, payment_id: user_id, timestamp }) });
  await setup.derive();
  await setup.follow();
  await pool.query(`update called_message set due_at = now() where state = 'waiting'`);
  while ((await sender.runOnce()).claimed > 0) await sender.idle();
  const said = JSON.parse(provider.taken.at(-1)?.body ?? '{}') as { ref: string; parts: number; text: string };
  const paths = [...said.text.matchAll(/https:\/\/crm\.example(\/t\/\w+)/g)].map(([, path = '']) => path);
  return { user_id, player_id, message_id: Number(said.ref), said, paths };
}
const reportsOf = async (playerId: number) => {
  const { rows } = await pool.query(
    `select body ->> 'what' as what, body ->> 'channel' as channel, body ->> 'campaign_id' as campaign_id, body ->> 'link' as link
       from message_report where player_id = $1 order by body ->> 'link'`,
    [playerId],
  );
  return rows;
};
const clicked = (link: string) => ({ what: 'clicked', channel: 'sms', campaign_id: 'spins', link });

test('an SMS contains short links, and its parts are counted with them; a click leads to the target and is in the results of its step', async () => {
  const { player_id, message_id, said, paths } = await sent();
  expect(said.text).toMatch(/^Ten spins: https:\/\/crm\.example\/t\/\w{13}, terms: https:\/\/crm\.example\/t\/\w{13}$/);
  // With the original links, the SMS would have two parts.
  expect([said.parts, text.length > 160]).toEqual([1, true]);
  expect(await readCall(pool, brand_id, message_id)).toMatchObject({ parts: 1, content: { text }, state: 'sent' });

  const [spins = '', terms = ''] = paths;
  for (let time = 0; time < 2; time++) {
    const answered = await call(spins);
    expect([answered.status, answered.headers.get('location')]).toEqual([302, target]);
    expect(answered.headers.get('cache-control')).toBe('no-store');
  }
  expect((await call(terms)).headers.get('location')).toBe('https://casino.example/terms');
  expect(await reportsOf(player_id)).toEqual([clicked('1'), clicked('2')]);

  await publisher.runOnce();
  await setup.derive();
  const [campaign] = await readCampaigns(pool, brand_id, { code: 'spins' });
  const { totals, effects } = await readResults(
    pool,
    { campaign_id: campaign?.campaign_id ?? 0, brand },
    { at: clock.now() },
  );
  expect(totals).toMatchObject({ sent: 1, clicked: 1 });
  expect(effects).toMatchObject([{ step: 'first-sms', sent: 1, clicked: 1 }]);
});

test('a HEAD or a prefetch is not a click, and a link leads only to its target', async () => {
  const { player_id, message_id, paths } = await sent();
  const [path = ''] = paths;
  await call(path, { method: 'HEAD' });
  await call(path, { headers: { 'sec-purpose': 'prefetch' } });
  await call(path, { headers: { 'x-purpose': 'preview' } });
  expect(await reportsOf(player_id)).toEqual([]);
  expect((await call(`${path}?url=https://evil.example`)).headers.get('location')).toBe(target);
  for (const wrong of [
    `${path.slice(0, -1)}${path.endsWith('x') ? 'y' : 'x'}`,
    `${path}-1`,
    `${path}0`,
    path.slice(0, -1),
    `/t/${testTokens.writeCode({ message_id, place: 3 })}`,
    `/t/${testTokens.writeCode({ message_id: message_id + 64 * 1_000, place: 1 })}`,
    // A code is valid for an SMS only, a token for an e-mail only.
    `/t/${testTokens.write('click', { brand_id, message_id })}-1`,
    `/o/${path.slice(3)}`,
    '/t/previewxxxxxx',
  ]) {
    const answered = await call(wrong);
    expect([wrong, answered.status, answered.headers.get('location')]).toEqual([wrong, 404, null]);
  }
  expect(await reportsOf(player_id)).toEqual([clicked('1')]);
});

test.each(['DE', null])(
  'a player in %s, where tracking is or may be forbidden, gets the original links',
  async (country) => {
    const { said, paths } = await sent(country);
    expect([said.text, said.parts, paths]).toEqual([text, 2, []]);
  },
);

test('a player who has moved to a country where it is forbidden is not tracked; the link still works', async () => {
  const { player_id, paths } = await sent();
  await pool.query(`update player_profile set country = 'DE' where player_id = $1`, [player_id]);
  expect((await call(paths[0] ?? '')).status).toBe(302);
  expect(await reportsOf(player_id)).toEqual([]);
});

test('an erasure deletes the targets and the clicks, and the links stop working', async () => {
  const { player_id, user_id, message_id, paths } = await sent();
  await call(paths[0] ?? '');
  await publisher.runOnce();
  await setup.derive();
  await requestErasure(pool, brands, { brand_id, player_id, user_id, forced: true, at: clock.now() });
  const eraser = eraserOf(setup);
  await eraser.runOnce();
  // The eraser waits a minute for processes that are still handling the player.
  clock.advance(60_000_000);
  await eraser.runOnce();
  expect(await reportsOf(player_id)).toEqual([]);
  const { rows } = await pool.query('select content from called_message where message_id = $1', [message_id]);
  expect(rows).toEqual([{ content: {} }]);
  for (const path of paths) expect((await call(path)).status).toBe(404);
});
