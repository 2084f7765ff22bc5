import { afterAll, describe, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { twilioTo } from '../../../testing/channels/calls/setup-calls.ts';
import { answer, startProvider } from '../../../testing/channels/calls/start-provider.ts';
import { testTokens } from '../../../testing/channels/email/setup-email.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import type { BrandSettings } from '../../brands/index.ts';
import { BulkRunner } from '../../bulk/index.ts';
import { CallPlaces } from '../../channels/calls/places.ts';
import { CallSender, callTransport, readSettings, writeChannelSettings, writeTemplate } from '../../channels/index.ts';
import { exportEntries } from '../../channels/lists/index.ts';
import { askAgain } from '../../channels/notifications/held.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

/*
 * A consent for a product is withdrawn after a bulk action ordered a message and before the message is sent. The message must not be
 * sent.
 */
const provider = await startProvider(answer(201, { sid: 'SM1', status: 'queued' }));
const setup = await setupConsole({ webhook_allowed: [provider.origin] });
const { pool, brand, brands, clock, gate, links, signals } = setup;
const { brand_id } = brand;
const channels = ['sms', 'telephone', 'site'] as const;
type BulkChannel = (typeof channels)[number];
for (const settings of [brand.settings, brands.byId(brand_id)?.settings as BrandSettings]) {
  settings.product_consents = channels.map((channel) => ({ product: 'casino', channel, consent: `Casino.${channel}` }));
}
const common = { pool, brands, gate, clock: clock.now, log: testLog };
const computer = new SegmentComputer({ ...common, rules: new PlatformRules({ pool }) });
const runner = new BulkRunner({ ...common, links, signals });
const sender = new CallSender({
  ...common,
  vault: testVault,
  tokens: testTokens,
  publicUrl: 'https://crm.example',
  random: () => 0.5,
  transport: callTransport(),
  places: new CallPlaces(),
});
afterAll(async () => {
  await sender.stop();
  await provider.stop();
});

// The provider answers every call. On a busy machine, a first call may take longer than the 500 ms of `twilioTo`.
const sms = readSettings('sms', { ...twilioTo(provider), call_timeout_ms: 10_000 }, null);
if (!sms.ok) throw new Error('the settings are wrong');
await writeChannelSettings(pool, testVault, brand, 'sms', sms.settings, { at: clock.now(), by: 'a test' });
const contents = {
  sms: { text: 'Hello' },
  telephone: { list: 'vip', note: 'Say hello' },
  site: { title: 'Hello', message: 'Hello' },
};
for (const channel of channels)
  await transaction(pool, (tx) =>
    writeTemplate(
      tx,
      brand,
      { code: channel, name: channel, channel, purpose: 'marketing', content: { en: contents[channel] } },
      { expected: undefined, by: 'a test', at: clock.now() },
    ),
  );

let players = 0;
/** A player who permits everything, for whom a bulk action has ordered a message that is not sent yet. @returns player_id */
async function ordered(channel: BulkChannel, country: string, products: string[]): Promise<number> {
  const user_id = `${channel}-${++players}`;
  const player_id = await insertPlayer(pool, brand_id, user_id);
  const at = timestamptzText(clock.now());
  await makeKnown(pool, brand_id, [player_id], at);
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select $1, lower(type), type, type, true, 'look_up', $2 from unnest(array['SMS', 'Telephone', 'SiteNotification', $3]) type
     on conflict (player_id, type_key) do update set opted_in = true`,
    [player_id, at, `Casino.${channel}`],
  );
  await pool.query(
    `update player_profile set country = $2, mobile_prefix = '+356', mobile = $3, first_name = 'Ann' where player_id = $1`,
    [player_id, country, String(99_100_000 + players)],
  );
  const segment = `/brands/malta/segments/${user_id}`;
  await setup.call('POST', '/brands/malta/segments', { body: { code: user_id, name: user_id, user_ids: [user_id] } });
  await setup.call('POST', `${segment}/publish`);
  await computer.runOnce();
  const body = { channel, template: channel, products };
  expect(await setup.call('POST', `${segment}/messages`, { body })).toMatchObject({ status: 201 });
  clock.advance(1_000_000);
  for (let round = await runner.runOnce(); round.gathered + round.handled > 0; round = await runner.runOnce());
  // A message of the site is shown at once, unless the gate holds it.
  if (channel === 'site')
    await pool.query(
      `update notification set state = 'held', reason = 'outdated', live_at = null, due_at = now() where player_id = $1`,
      [player_id],
    );
  return player_id;
}
const withdraw = (playerId: number, channel: BulkChannel) =>
  pool.query(`update player_consent set opted_in = false where player_id = $1 and type_key = $2`, [
    playerId,
    `casino.${channel}`,
  ]);
async function send(): Promise<void> {
  await sender.runOnce();
  await sender.idle();
  await askAgain({ pool, gate, clock: clock.now });
  const order = { brand_id, channel: 'telephone', list: 'vip', by: 'a test' } as const;
  for await (const _ of exportEntries({ pool, gate, vault: testVault, clock: clock.now }, order));
}
async function stateOf(playerId: number, channel: BulkChannel): Promise<[state: string, reason: string | null]> {
  const table = { sms: 'called_message', telephone: 'list_entry', site: 'notification' }[channel];
  const { rows } = await pool.query<{ state: string; reason: string | null }>(
    `select state, reason from ${table} where player_id = $1`,
    [playerId],
  );
  expect(rows).toHaveLength(1);
  return [rows[0]?.state ?? '', rows[0]?.reason ?? null];
}

describe.each(channels)('a bulk message on %s', (channel) => {
  const sent = { sms: 'sent', telephone: 'exported', site: 'live' }[channel];

  test('is withheld if the consent for its product was withdrawn meanwhile; its decision says why', async () => {
    const player = await ordered(channel, 'GB', ['casino']);
    const before = provider.taken.length;
    await withdraw(player, channel);
    await send();
    expect(await stateOf(player, channel)).toEqual([
      channel === 'site' ? 'withheld' : 'dropped',
      'policy_product_consent',
    ]);
    expect(provider.taken).toHaveLength(before);
    const { rows } = await pool.query(
      `select reason, inputs -> 'contact' as contact from gate_decision
        where player_id = $1 and cause_kind = 'message' order by decision_id desc limit 1`,
      [player],
    );
    expect(rows).toEqual([
      { reason: 'policy_product_consent', contact: { policy: 'GB', subject: { products: ['casino'], consented: [] } } },
    ]);
  });

  test.each([
    ['if the consent still holds', 'GB', false],
    ['in a market without this policy', 'MT', true],
  ])('is sent %s', async (_name, country, withdrawn) => {
    const player = await ordered(channel, country, ['casino']);
    if (withdrawn) await withdraw(player, channel);
    await send();
    expect((await stateOf(player, channel))[0]).toBe(sent);
  });
});
