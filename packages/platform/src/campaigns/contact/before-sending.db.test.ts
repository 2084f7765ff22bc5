import type { Campaign, Channel } from '@croupier/campaigns';
import { afterAll, describe, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { twilioTo } from '../../../testing/channels/calls/setup-calls.ts';
import { answer, startProvider } from '../../../testing/channels/calls/start-provider.ts';
import { emailSettings, testTokens } from '../../../testing/channels/email/setup-email.ts';
import { startSmtp } from '../../../testing/channels/email/setup-smtp.ts';
import { isSignedIn, testPush } from '../../../testing/channels/push/setup-push.ts';
import { startPushService } from '../../../testing/channels/push/setup-push-service.ts';
import { testLog } from '../../../testing/log.ts';
import type { BrandSettings } from '../../brands/index.ts';
import { CallPlaces } from '../../channels/calls/places.ts';
import { EmailServers } from '../../channels/email/servers.ts';
import {
  CallSender,
  callTransport,
  EmailSender,
  EmailTransport,
  readSettings,
  writeChannelSettings,
  writeTemplate,
} from '../../channels/index.ts';
import { exportEntries } from '../../channels/lists/index.ts';
import { askAgain } from '../../channels/notifications/held.ts';
import { PushSender, PushTransport, subscribe } from '../../channels/push/index.ts';
import type { WrittenFields } from '../../channels/templates/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import type { Gate } from '../../gate/index.ts';
import { enterPlayer, readCampaigns } from '../index.ts';

/*
 * A consent for a product is withdrawn, or quiet hours begin, after a campaign ordered a message and before the message is sent. Without the
 * consent, the message must not be sent on any channel. In markets without this policy, and for campaigns without products, it is sent.
 */
const server = await startSmtp();
let sids = 0;
const provider = await startProvider((response) => answer(201, { sid: `SM${++sids}`, status: 'queued' })(response));
const service = await startPushService();
const setup = await setupCampaigns({
  brand: {
    email: emailSettings(server),
    webhook_allowed: [provider.origin],
    push: { private_origins: [service.origin] },
  },
});
const { pool, brand, brands, clock, gate, follow } = setup;
const { brand_id } = brand;
const settings = brands.byId(brand_id)?.settings as BrandSettings;
const channels: Channel[] = ['email', 'sms', 'operator', 'webhook', 'push', 'site', 'telephone', 'post_mail'];
settings.product_consents = channels.map((channel) => ({ product: 'casino', channel, consent: `Casino.${channel}` }));

const push = testPush({ pool, clock: clock.now });
const sendersWith = (asked: Pick<Gate, 'mayContact' | 'stillAllows'>) => {
  const common = { pool, gate: asked, clock: clock.now, log: testLog, random: () => 0.5, brands };
  const sending = { ...common, vault: testVault, tokens: testTokens, publicUrl: 'https://crm.example' };
  return [
    new EmailSender({
      ...sending,
      transport: new EmailTransport(),
      servers: new EmailServers(),
      unsubscribeHeaders: () => ({}),
    }),
    new CallSender({ ...sending, transport: callTransport(), places: new CallPlaces() }),
    new PushSender({
      ...common,
      ...push,
      transport: new PushTransport({ callTimeoutMs: 1_000 }),
      publicUrl: 'https://crm.example',
    }),
  ];
};
/** What the test does between the start of a call and its last check. */
let beforeLastCheck: () => Promise<unknown> = async () => {};
const senders = sendersWith({
  mayContact: (tx, requests) => gate.mayContact(tx, requests),
  async stillAllows(db, request) {
    await beforeLastCheck();
    return gate.stillAllows(db, request);
  },
});
afterAll(async () => {
  for (const sender of senders) await sender.stop();
  await server.stop();
  await provider.stop();
  await service.stop();
});

for (const [channel, given] of [
  ['sms', twilioTo(provider)],
  ['operator', { url: `${provider.origin}/messages`, secret: 'shared' }],
  ['webhook', { secret: 'shared' }],
] as const) {
  const read = readSettings(channel, given, null);
  if (!read.ok) throw new Error('the settings are wrong');
  await writeChannelSettings(pool, testVault, brand, channel, read.settings, { at: clock.now(), by: 'a test' });
}
const contents: Partial<Record<Channel, WrittenFields>> = {
  site: { title: 'Hello', message: 'Hello' },
  email: { subject: 'Hello', html: '<p>Hello</p>' },
  sms: { text: 'Hello' },
  webhook: { url: `${provider.origin}/hook`, body: { says: 'Hello' } },
  operator: { text: 'Hello' },
  telephone: { list: 'vip', note: 'Say hello' },
  post_mail: { list: 'vip', note: 'Hello' },
};
for (const [channel, content] of Object.entries(contents))
  await transaction(pool, (tx) =>
    writeTemplate(
      tx,
      brand,
      { code: channel, name: channel, channel: channel as 'site', purpose: 'marketing', content: { en: content } },
      { expected: undefined, by: 'a test', at: clock.now() },
    ),
  );
for (const channel of channels) {
  const template = channel === 'push' ? 'site' : channel;
  const steps: Campaign['steps'] = [{ id: 'hello', send: { channel, template } }];
  const common: Omit<Campaign, 'code'> = { name: channel, entry: { api: true }, steps };
  await setup.campaign({ ...common, code: `about_${channel}`, products: ['casino'] });
  await setup.campaign({ ...common, code: `plain_${channel}` });
}

let players = 0;
/** A player who permits everything has entered the campaign, and its message was ordered. @returns player_id */
async function ordered(code: string, channel: Channel, country: string): Promise<number> {
  const player_id = await setup.reader(`player-${++players}`);
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select $1, lower(type), type, type, true, 'look_up', $2
       from unnest(array['Telephone', 'PostMail', 'PushNotification', $3]) type`,
    [player_id, timestamptzText(clock.now()), `Casino.${channel}`],
  );
  await pool.query(
    `update player_profile set country = $2, mobile_prefix = '+356', mobile = $3, email = $4, address = 'Main Street 1', city = 'London'
      where player_id = $1`,
    [player_id, country, String(99_100_000 + players), `${players}@players.example`],
  );
  if (channel === 'push') {
    const subscriber = { brand, player_id, sid_hash: 'a session', isSignedIn };
    expect((await subscribe({ pool, clock: clock.now, ...push }, subscriber, service.device())).fault).toBeUndefined();
  }
  const [campaign] = await readCampaigns(pool, brand_id, { code });
  if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
  await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: 'once', data: {}, at: clock.now() }));
  await follow();
  // A message of the site is shown immediately, unless the gate holds it.
  if (channel === 'site')
    await pool.query(
      `update notification set state = 'held', reason = 'outdated', live_at = null, due_at = now() where player_id = $1`,
      [player_id],
    );
  return player_id;
}
const withdraw = (playerId: number, channel: Channel) =>
  pool.query(`update player_consent set opted_in = false where player_id = $1 and type_key = $2`, [
    playerId,
    `casino.${channel}`,
  ]);
async function send(): Promise<void> {
  await pool.query(`update push_delivery set due_at = now() where state = 'waiting'`);
  for (const sender of senders) {
    await sender.runOnce();
    await sender.idle();
  }
  await askAgain({ pool, gate, clock: clock.now });
  for (const channel of ['telephone', 'post_mail'] as const) {
    const order = { brand_id, channel, list: 'vip', by: 'a test' };
    for await (const _ of exportEntries({ pool, gate, vault: testVault, clock: clock.now }, order));
  }
}
async function stateOf(playerId: number, channel: Channel): Promise<[state: string, reason: string | null]> {
  const ofChannel = { push: 'push_delivery', site: 'notification', email: 'email_message', bonus: '' };
  const ofLists = ['telephone', 'post_mail'].includes(channel) ? 'list_entry' : 'called_message';
  const table = ofChannel[channel as 'site'] ?? ofLists;
  const { rows } = await pool.query<{ state: string; reason: string | null }>(
    `select state, reason from ${table} where player_id = $1`,
    [playerId],
  );
  expect(rows).toHaveLength(1);
  return [rows[0]?.state ?? '', rows[0]?.reason ?? null];
}
const sentState = (channel: Channel) =>
  channel === 'site' ? 'live' : channel === 'telephone' || channel === 'post_mail' ? 'exported' : 'sent';
const calls = () => server.mails.length + provider.taken.length + service.taken.length;

describe.each(channels)('on %s', (channel) => {
  const isWithheld = [channel === 'site' ? 'withheld' : 'dropped', 'policy_product_consent'];

  test('a message is withheld if the consent for its product was withdrawn meanwhile; its decision says why', async () => {
    const player = await ordered(`about_${channel}`, channel, 'GB');
    await withdraw(player, channel);
    const before = calls();
    await send();
    expect(await stateOf(player, channel)).toEqual(isWithheld);
    expect(calls()).toBe(before);
    const { rows } = await pool.query(
      `select outcome, reason, inputs -> 'contact' as contact from gate_decision
        where player_id = $1 and cause_kind = 'message' order by decision_id desc limit 1`,
      [player],
    );
    expect(rows).toEqual([
      {
        outcome: 'withheld',
        reason: 'policy_product_consent',
        contact: { policy: 'GB', subject: { products: ['casino'], consented: [] } },
      },
    ]);
  });

  test.each([
    ['if the consent still holds', `about_${channel}`, 'GB', false],
    ['in a market without this policy', `about_${channel}`, 'MT', true],
    ['if its campaign has no products', `plain_${channel}`, 'GB', true],
  ])('it is sent %s', async (_name, code, country, withdrawn) => {
    const player = await ordered(code, channel, country);
    if (withdrawn) await withdraw(player, channel);
    await send();
    expect((await stateOf(player, channel))[0]).toBe(sentState(channel));
  });
});

test.each(['email', 'sms', 'operator', 'webhook', 'push'] as const)(
  'on %s, a consent that is withdrawn right before the call still counts',
  async (channel) => {
    const player = await ordered(`about_${channel}`, channel, 'GB');
    const before = calls();
    beforeLastCheck = () => withdraw(player, channel);
    await send();
    beforeLastCheck = async () => {};
    await send();
    expect(await stateOf(player, channel)).toEqual(['dropped', 'policy_product_consent']);
    expect(calls()).toBe(before);
  },
);

describe('quiet hours that began after the order', () => {
  const whole = { from: '00:00', to: '23:59' };
  const makeDue = async () => {
    for (const table of ['email_message', 'called_message', 'push_delivery', 'notification'])
      await pool.query(`update ${table} set due_at = now() where due_at is not null`);
  };

  test.each(['email', 'sms', 'operator', 'webhook', 'push', 'site'] as const)(
    'hold a message on %s until they end',
    async (channel) => {
      const player = await ordered(`plain_${channel}`, channel, 'MT');
      settings.quiet_hours = whole;
      const before = calls();
      await send();
      expect(await stateOf(player, channel)).toEqual([channel === 'site' ? 'held' : 'waiting', 'quiet_hours']);
      expect(calls()).toBe(before);
      settings.quiet_hours = { from: '', to: '' };
      await makeDue();
      await send();
      expect((await stateOf(player, channel))[0]).toBe(sentState(channel));
      const { rows } = await pool.query(
        `select outcome, reason, inputs -> 'contact' -> 'quiet_hours' as quiet_hours from gate_decision
        where player_id = $1 and cause_kind = 'message' order by decision_id`,
        [player],
      );
      expect(rows).toContainEqual({ outcome: 'held', reason: 'quiet_hours', quiet_hours: whole });
    },
  );

  test('do not hold a message that neither a campaign nor a bulk action ordered', async () => {
    const player = await ordered('plain_email', 'email', 'MT');
    await pool.query(`update email_message set created_by = 'an API key' where player_id = $1`, [player]);
    settings.quiet_hours = whole;
    await send();
    settings.quiet_hours = { from: '', to: '' };
    expect((await stateOf(player, 'email'))[0]).toBe('sent');
  });
});

test('a message keeps the products of the version that ordered it', async () => {
  const player = await ordered('about_email', 'email', 'GB');
  const steps: Campaign['steps'] = [{ id: 'hello', send: { channel: 'email', template: 'email' } }];
  await setup.republish({ code: 'about_email', name: 'about nothing', entry: { api: true }, steps });
  await withdraw(player, 'email');
  await send();
  expect(await stateOf(player, 'email')).toEqual(['dropped', 'policy_product_consent']);
});

test.each([
  ['whose run is gone', `delete from campaign_run where player_id = $1 returning 1`],
  [
    'whose key names no run',
    `update notification_request set request_key = 'campaign twelve hello' where player_id = $1 returning 1`,
  ],
  [
    'whose key has a number that is out of range',
    `update notification_request set request_key = 'campaign 99999999999999999999 hello' where player_id = $1 returning 1`,
  ],
])('a message %s is checked for all products of its campaign, and others are sent', async (_name, spoil) => {
  const [spoilt, other] = [await ordered('about_site', 'site', 'GB'), await ordered('about_site', 'site', 'GB')];
  await withdraw(spoilt, 'site');
  expect((await pool.query(spoil, [spoilt])).rowCount).toBe(1);
  await send();
  expect(await stateOf(spoilt, 'site')).toEqual(['withheld', 'policy_product_consent']);
  expect(await stateOf(other, 'site')).toEqual(['live', null]);
});
