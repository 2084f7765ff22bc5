import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setupEmail, testTokens } from '../../testing/channels/email/setup-email.ts';
import { setupIngest } from '../../testing/replies/setup-ingest.ts';
import { serveWebhooks } from '../../testing/replies/setup-webhooks.ts';
import { findSuppression, listReportTallies, readMessageCounts } from '../channels/index.ts';

/*
 * Reports of e-mail providers, over real HTTP, in their formats and with their signatures. They become events and facts, and
 * bounces and complaints have their consequences.
 */
const stage = await setupIngest();
const { pool } = stage;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = 'a-key-of-the-brand-1';
const setup = await setupEmail(pool, {
  email: {
    bounce_address: 'bounces@malta.example',
    reports: {
      key,
      sendgrid_public_key: ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      mailgun_signing_key: 'a signing key',
      postmark_username: 'crm',
      postmark_password: 'a password',
      soft_bounces: 3,
    },
  },
});
await stage.brands.refresh();
const { brand, clock } = setup;
const post = await serveWebhooks(stage, { brand, clock });
const seconds = () => Math.floor(clock.now() / 1_000_000);

/** A sent e-mail. */
async function sent(address?: string) {
  const player_id = await setup.player(address);
  const message_id = await setup.email(player_id, { campaign_id: 'welcome' });
  await setup.run();
  return { player_id, message_id, smtpId: `<${message_id}.${brand.code}@malta.example>` };
}

async function outcome(messageId: number) {
  await stage.derive();
  const { rows } = await pool.query('select * from message_outcome where message_id = $1', [String(messageId)]);
  return rows[0] ?? null;
}

async function consent(playerId: number) {
  const { rows } = await pool.query(`select opted_in from player_consent where player_id = $1 and type_key = 'email'`, [
    playerId,
  ]);
  return rows[0]?.opted_in;
}

const suppressed = async (messageId: number) => {
  const { rows } = await pool.query('select address_key from email_message where message_id = $1', [messageId]);
  return findSuppression(pool, { brand_id: brand.brand_id, address_key: rows[0].address_key });
};

function sendgrid(events: Record<string, unknown>[], { at = '', signedAs = ec.privateKey } = {}) {
  const body = JSON.stringify(events);
  const timestamp = String(seconds());
  const signature = sign('sha256', Buffer.from(timestamp + body), signedAs).toString('base64');
  return post(`email/sendgrid${at}`, body, {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': timestamp,
  });
}

describe('SendGrid', () => {
  test('a report becomes a fact once, even if it is repeated', async () => {
    const { player_id, message_id, smtpId } = await sent();
    const of = (event: string, more = {}) => ({
      event,
      'smtp-id': smtpId,
      sg_event_id: `${message_id}-${event}`,
      sg_message_id: '14c5d75ce93.dfd.64b469',
      timestamp: seconds(),
      email: 'anna@players.example',
      ...more,
    });
    const all = [of('processed'), of('delivered'), of('open'), of('click', { url: 'https://malta.example/a' })];
    const first = await sendgrid(all);
    expect(first).toEqual({ status: 200, body: { taken: 3, repeated: 0, unknown_message: 0, ignored: 1 } });
    // A late repeat, with another text and another time.
    const again = await sendgrid(all.map((event) => ({ ...event, timestamp: seconds() - 9, ip: '10.0.0.1' })));
    expect(again.body).toMatchObject({ taken: 0, repeated: 3 });
    expect(await outcome(message_id)).toMatchObject({
      channel: 'email',
      campaign_id: 'welcome',
      delivered_at: clock.now(),
      opened_at: clock.now(),
      clicked_at: clock.now(),
      bounced_at: null,
    });
    const { rows } = await pool.query('select what from message_event where player_id = $1 order by what', [player_id]);
    expect(rows.map(({ what }) => what)).toEqual(['clicked', 'delivered', 'opened']);
    expect((await readMessageCounts(pool, player_id)).get('welcome')).toEqual({
      received: 1,
      shown: 1,
      read: 1,
      clicked: 1,
    });
  });

  test("a bounce adds the recipient's address to the list; a block does not", async () => {
    const { player_id, message_id, smtpId } = await sent('old@players.example');
    await pool.query(`update player_profile set email = 'new@players.example' where player_id = $1`, [player_id]);
    const reason = '550 5.1.1 <old@players.example>: no such user';
    await sendgrid([
      { event: 'bounce', type: 'blocked', 'smtp-id': smtpId, sg_event_id: 'b-1', timestamp: seconds(), reason },
    ]);
    expect(await suppressed(message_id)).toBeNull();
    await sendgrid([
      { event: 'bounce', type: 'bounce', 'smtp-id': smtpId, sg_event_id: 'b-2', timestamp: seconds(), reason },
    ]);
    expect(await suppressed(message_id)).toMatchObject({
      reason: 'bounced',
      detail: '550 5.1.1 <(address)>: no such user',
    });
    const next = await setup.email(player_id);
    await setup.run();
    expect(await setup.read(next)).toMatchObject({ state: 'sent' });
    expect(await outcome(message_id)).toMatchObject({ bounced_at: clock.now() });
  });

  test('an e-mail that SendGrid did not try to send is reported with the earlier event', async () => {
    const drop = async (reason: string) => {
      const { player_id, message_id, smtpId } = await sent();
      const event = { event: 'dropped', 'smtp-id': smtpId, sg_event_id: `d-${message_id}`, timestamp: seconds() };
      expect((await sendgrid([{ ...event, reason }])).body).toMatchObject({ taken: 1 });
      const isBounced = (await outcome(message_id))?.bounced_at === clock.now();
      return [isBounced, (await suppressed(message_id))?.reason, await consent(player_id)];
    };
    expect(await drop('Bounced Address')).toEqual([true, 'bounced', true]);
    expect(await drop('Invalid')).toEqual([true, 'bounced', true]);
    expect(await drop('Unsubscribed Address')).toEqual([false, undefined, false]);
    expect(await drop('Spam Reporting Address')).toEqual([false, 'complained', false]);
    expect(await drop('Recipient List over Package Quota')).toEqual([true, undefined, true]);
  });

  test('a complaint withdraws the consent and adds the address to the list', async () => {
    const { player_id, message_id, smtpId } = await sent();
    await sendgrid([{ event: 'spamreport', 'smtp-id': smtpId, sg_event_id: 'c-1', timestamp: seconds() }]);
    expect(await consent(player_id)).toBe(false);
    expect(await suppressed(message_id)).toMatchObject({ reason: 'complained' });
    expect(await outcome(message_id)).toMatchObject({ complained_at: clock.now() });
  });

  test('events about opens, clicks and complaints have no smtp-id: the unique argument of the e-mail identifies it', async () => {
    const { player_id, message_id } = await sent();
    const raw = String(setup.server.mails.find((one) => one.raw.includes(`<${message_id}.`))?.raw);
    const field = /^X-SMTPAPI: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1]?.replace(/\r\n[ \t]+/g, ' ');
    const { unique_args } = JSON.parse(String(field)) as { unique_args: Record<string, string> };
    // SendGrid merges unique arguments into the event.
    const of = (event: string) => ({
      event,
      email: 'anna@players.example',
      ...unique_args,
      sg_event_id: `${message_id}-e-${event}`,
      sg_message_id: '14c5d75ce93.dfd.64b469',
      timestamp: seconds(),
    });
    const first = await sendgrid([of('open'), of('click'), of('spamreport'), of('group_unsubscribe')]);
    expect(first.body).toEqual({ taken: 4, repeated: 0, unknown_message: 0, ignored: 0 });
    expect(await consent(player_id)).toBe(false);
    expect(await suppressed(message_id)).toMatchObject({ reason: 'complained' });
    expect(await outcome(message_id)).toMatchObject({ opened_at: clock.now(), clicked_at: clock.now() });
    const forged = {
      ...of('spamreport'),
      crm_message: `${brand.brand_id}-${message_id}-${'0'.repeat(20)}`,
      sg_event_id: 'f-1',
    };
    expect((await sendgrid([forged])).body).toMatchObject({ taken: 0, unknown_message: 1 });
  });

  test('reports about unknown messages are counted and answered 200', async () => {
    const other = `<77.${brand.code}@malta.example>`;
    const entries = [
      { event: 'delivered', 'smtp-id': other, sg_event_id: 'u-1', timestamp: seconds() },
      { event: 'delivered', 'smtp-id': '<x@elsewhere.example>', sg_event_id: 'u-2', timestamp: seconds() },
      { event: 'delivered', 'smtp-id': `<77.other@malta.example>`, sg_event_id: 'u-3', timestamp: seconds() },
      { event: 'deferred' },
      null,
      7,
    ];
    const { status, body } = await sendgrid(entries as Record<string, unknown>[]);
    expect([status, body]).toEqual([200, { taken: 0, repeated: 0, unknown_message: 3, ignored: 3 }]);
    const tallies = await listReportTallies(pool, brand.brand_id, 100);
    expect(tallies).toContainEqual({
      channel: 'email',
      provider: 'sendgrid',
      outcome: 'unknown_message',
      day: '2026-05-01',
      // With the forged one of the previous test.
      reports: 4,
      last_at: clock.now(),
    });
  });

  test('a wrong signature, no signature, or one for another body is refused and has no effect', async () => {
    const { player_id, smtpId } = await sent();
    const event = { event: 'spamreport', 'smtp-id': smtpId, sg_event_id: 'w-1', timestamp: seconds() };
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect((await sendgrid([event], { signedAs: other })).status).toBe(403);
    expect((await post('email/sendgrid', JSON.stringify([event]))).status).toBe(403);
    expect(await consent(player_id)).toBe(true);
  });

  test('calls without the key are limited to 4 KiB; calls with it may be larger, but must still be signed', async () => {
    const { message_id, smtpId } = await sent();
    const events = Array.from({ length: 60 }, (_, i) => ({
      event: 'open',
      'smtp-id': smtpId,
      sg_event_id: `${message_id}-many-${i}`,
      timestamp: seconds(),
    }));
    expect((await sendgrid(events)).status).toBe(413);
    expect((await sendgrid(events, { at: `/${key}` })).body).toMatchObject({ taken: 60 });
    expect((await sendgrid(events, { at: '/not-the-key-of-brand' })).status).toBe(404);
    expect((await post(`email/sendgrid/${key}`, JSON.stringify(events))).status).toBe(403);
  });

  test('while the ledger is unavailable the call is answered 503, and its repeat counts', async () => {
    const { player_id, message_id, smtpId } = await sent();
    const event = { event: 'spamreport', 'smtp-id': smtpId, sg_event_id: 'a-1', timestamp: seconds() };
    stage.fail(true);
    expect((await sendgrid([event])).status).toBe(503);
    // The player is protected immediately.
    expect(await consent(player_id)).toBe(false);
    stage.fail(false);
    expect((await sendgrid([event])).body).toMatchObject({ taken: 1 });
    expect((await sendgrid([event])).body).toMatchObject({ taken: 0, repeated: 1 });
    expect(await outcome(message_id)).toMatchObject({ complained_at: clock.now() });
  });
});

describe('Mailgun', () => {
  function mailgun(event: Record<string, unknown>, { signingKey = 'a signing key', at = seconds() } = {}) {
    const token = 'e0b5477167110d68991efc6b9f89f0a11066af27834600e123';
    const signature = createHmac('sha256', signingKey).update(`${at}${token}`).digest('hex');
    return post(
      'email/mailgun',
      JSON.stringify({ signature: { timestamp: String(at), token, signature }, 'event-data': event }),
    );
  }
  const about = (message_id: number) => ({ headers: { 'message-id': `${message_id}.${brand.code}@malta.example` } });

  test('deliveries, opens and permanent failures are read; Mailgun itself retries temporary ones', async () => {
    const { message_id } = await sent();
    const at = seconds() + 0.25;
    const message = about(message_id);
    await mailgun({ id: 'm-1', event: 'delivered', timestamp: at - 2, message });
    await mailgun({ id: 'm-2', event: 'opened', timestamp: at - 1, message });
    const temporary = await mailgun({ id: 'm-3', event: 'failed', severity: 'temporary', timestamp: at - 2, message });
    expect(temporary.body).toMatchObject({ taken: 0, ignored: 1 });
    expect(await outcome(message_id)).toMatchObject({
      delivered_at: clock.now() - 1_750_000,
      opened_at: clock.now() - 750_000,
      bounced_at: null,
    });
    const status = { code: 550, message: 'no such user' };
    const failed = { id: 'm-4', event: 'failed', severity: 'permanent', reason: 'generic', 'delivery-status': status };
    await mailgun({ ...failed, timestamp: at, message });
    expect(await suppressed(message_id)).toMatchObject({ reason: 'bounced', detail: 'no such user' });
  });

  test('a block of the sender does not suppress the address, however often it happens', async () => {
    const player_id = await setup.player('blocked@players.example');
    const status = { code: 554, message: '5.7.1 Service unavailable; client host blocked using zen.spamhaus.org' };
    const failed = { event: 'failed', severity: 'permanent', reason: 'generic', 'delivery-status': status };
    for (let i = 0; i < 4; i++) {
      const message_id = await setup.email(player_id);
      await setup.run();
      const event = { ...failed, id: `blocked-${i}`, timestamp: seconds(), message: about(message_id) };
      expect((await mailgun(event)).body).toMatchObject({ taken: 1 });
      expect(await outcome(message_id)).toMatchObject({ bounced_at: clock.now() });
      expect(await suppressed(message_id)).toBeNull();
    }
  });

  test('an e-mail that Mailgun withheld because of an unsubscription withdraws the consent', async () => {
    const { player_id, message_id } = await sent();
    const failed = { event: 'failed', severity: 'permanent', reason: 'suppress-unsubscribe' };
    await mailgun({ ...failed, id: 'm-7', timestamp: seconds(), message: about(message_id) });
    expect(await consent(player_id)).toBe(false);
    expect(await suppressed(message_id)).toBeNull();
  });

  test('an unsubscription withdraws the consent, and does not list the address', async () => {
    const { player_id, message_id } = await sent();
    await mailgun({ id: 'm-5', event: 'unsubscribed', timestamp: seconds(), message: about(message_id) });
    expect(await consent(player_id)).toBe(false);
    expect(await suppressed(message_id)).toBeNull();
  });

  test('a wrong signature or one of the day before is refused', async () => {
    const event = { id: 'm-6', event: 'delivered', timestamp: seconds(), message: about(1) };
    expect((await mailgun(event, { signingKey: 'another' })).status).toBe(403);
    expect((await mailgun(event, { at: seconds() - 86_400 })).status).toBe(403);
    expect((await post('email/mailgun', '{}')).status).toBe(403);
    expect((await post('email/mailgun', '{')).status).toBe(400);
  });
});

describe('Postmark', () => {
  const basic = (password: string) => `Basic ${Buffer.from(`crm:${password}`).toString('base64')}`;
  const postmark = (event: Record<string, unknown>, password = 'a password') =>
    post('email/postmark', JSON.stringify(event), { authorization: basic(password) });

  test('identifies a message by the metadata that was sent with it', async () => {
    const { player_id, message_id } = await sent();
    const mail = setup.server.mails.find(({ raw }) => raw.includes(`<${message_id}.`));
    const token = /^X-PM-Metadata-message: (\S+)\r$/im.exec(String(mail?.raw))?.[1];
    expect(token).toBe(testTokens.write('report', { brand_id: brand.brand_id, message_id }));
    const event = { MessageID: 'p-1', Metadata: { message: token } };
    const at = '2026-05-01T11:59:00.0000000-00:00';
    await postmark({ ...event, RecordType: 'Delivery', DeliveredAt: at.replace('-00:00', 'Z') });
    expect(await outcome(message_id)).toMatchObject({ delivered_at: clock.now() - 60_000_000 });
    await postmark({ ...event, RecordType: 'SpamComplaint', ID: 42, BouncedAt: at });
    expect(await consent(player_id)).toBe(false);
    expect((await postmark({ ...event, RecordType: 'SpamComplaint', ID: 42, BouncedAt: at })).body).toMatchObject({
      repeated: 1,
    });
    const forged = { ...event, Metadata: { message: String(token).replace(/.$/, 'x') } };
    expect((await postmark({ ...forged, RecordType: 'Delivery' })).body).toMatchObject({ unknown_message: 1 });
    expect((await postmark({ ...event, RecordType: 'Delivery' }, 'another')).status).toBe(403);
  });

  test('answers of programs are no bounces, and a block does not suppress the address', async () => {
    const { message_id } = await sent();
    const Metadata = { message: testTokens.write('report', { brand_id: brand.brand_id, message_id }) };
    const bounce = (Type: string, Details = '') =>
      postmark({ RecordType: 'Bounce', ID: Type, Type, MessageID: 'a-1', Metadata, Details });
    for (const type of ['AutoResponder', 'Subscribe', 'AddressChange', 'ChallengeVerification'])
      expect((await bounce(type)).body).toMatchObject({ taken: 0, ignored: 1 });
    for (const type of ['Blocked', 'SpamNotification', 'DMARCPolicy', 'SMTPApiError'])
      expect((await bounce(type)).body).toMatchObject({ taken: 1 });
    await bounce('HardBounce', 'smtp;550 5.7.1 blocked using zen.spamhaus.org');
    expect(await suppressed(message_id)).toBeNull();
  });

  test('two bounces whose ids are above 2^53 are not confused', async () => {
    for (const ID of ['4323372036854775807', '4323372036854775808']) {
      const { message_id } = await sent(`${ID}@players.example`);
      const Metadata = { message: testTokens.write('report', { brand_id: brand.brand_id, message_id }) };
      const event = { RecordType: 'Bounce', ID: 0, Type: 'HardBounce', MessageID: `b-${message_id}`, Metadata };
      const body = JSON.stringify(event).replace('"ID":0', `"ID":${ID}`);
      const call = () => post('email/postmark', body, { authorization: basic('a password') });
      expect((await call()).body).toMatchObject({ taken: 1 });
      expect((await call()).body).toMatchObject({ repeated: 1 });
      expect(await suppressed(message_id)).toMatchObject({ reason: 'bounced' });
    }
  });

  test('the configured number of soft bounces within the configured days adds the address to the list', async () => {
    const { player_id } = await sent('full@players.example');
    const bounced: number[] = [];
    for (let i = 0; i < 4; i++) {
      const message_id = await setup.email(player_id);
      await setup.run();
      bounced.push(message_id);
      const Metadata = { Message: testTokens.write('report', { brand_id: brand.brand_id, message_id }) };
      const event = { RecordType: 'Bounce', ID: 100 + i, Type: 'SoftBounce', MessageID: `s-${i}`, Metadata };
      expect((await postmark(event)).body).toMatchObject({ taken: 1 });
      // The first one is older than the configured days.
      if (i === 0)
        await pool.query(`update message_report set heard_at = heard_at - interval '15 days' where player_id = $1`, [
          player_id,
        ]);
      expect(await suppressed(message_id)).toEqual(i < 3 ? null : expect.objectContaining({ reason: 'bounced' }));
    }
    expect(await suppressed(bounced[0] ?? 0)).toMatchObject({ detail: '3 soft bounces within 14 days' });
  });
});

test('a provider that the brand has not configured is answered 404', async () => {
  for (const path of ['email/ses', 'email/nobody', 'sms/http', 'site/sendgrid'])
    expect((await post(path, '{}')).status).toBe(404);
});
