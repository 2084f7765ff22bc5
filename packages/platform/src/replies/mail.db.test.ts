import { describe, expect, test } from 'vitest';
import { setupEmail, testTokens } from '../../testing/channels/email/setup-email.ts';
import { setupIngest } from '../../testing/replies/setup-ingest.ts';
import { serveWebhooks } from '../../testing/replies/setup-webhooks.ts';

/*
 * Reports that arrive as mail: a mail server posts them unchanged. The e-mails that they concern were really sent through an
 * SMTP server, and the reports contain what that server received.
 */
const stage = await setupIngest();
const { pool } = stage;
const key = 'a-key-of-the-brand-1';
const setup = await setupEmail(pool, {
  email: { bounce_address: 'bounces@malta.example', reports: { key, verp: true, soft_bounces: 2 } },
});
await stage.brands.refresh();
const { brand, clock, server } = setup;
const call = await serveWebhooks(stage, { brand, clock });
const post = (mail: string, at = `/${key}`) => call(`email/mail${at}`, mail, { 'content-type': 'message/rfc822' });

/** A sent e-mail: its envelope sender and its headers, as received by the server. */
async function sent() {
  const player_id = await setup.player();
  const message_id = await setup.email(player_id);
  const arrival = server.next();
  await setup.run();
  const { from, raw } = await arrival;
  const [headers = ''] = raw.toString('utf8').split('\r\n\r\n', 1);
  return { player_id, message_id, from: String(from), headers };
}

const lines = (...text: string[]) => text.join('\r\n');

/** A delivery report (RFC 3464). @param about headers of the e-mail; empty if the server does not include them */
function deliveryReport(of: { to: string; action?: string; status?: string; about?: string; id?: string }): string {
  const { to, action = 'failed', status = '5.1.1', about = '', id = Math.random() } = of;
  return lines(
    'Return-Path: <>',
    'From: Mail Delivery Subsystem <mailer-daemon@mx.example>',
    `To: ${to}`,
    `Message-ID: <${id}@mx.example>`,
    'Date: Fri, 01 May 2026 11:58:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="=_part"',
    '',
    'This is a report.',
    '--=_part',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Your message could not be delivered.',
    '--=_part',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    'Arrival-Date: Fri, 01 May 2026 11:57:00 +0000',
    '',
    'Final-Recipient: rfc822; anna@players.example',
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 <anna@players.example>:',
    '  no such user here',
    '',
    ...(about === '' ? [] : ['--=_part', 'Content-Type: text/rfc822-headers', '', about]),
    '--=_part--',
    '',
  );
}

const outcome = async (messageId: number) => {
  await stage.derive();
  return (await pool.query('select * from message_outcome where message_id = $1', [String(messageId)])).rows[0];
};
const suppressed = async (messageId: number) => {
  const { rows } = await pool.query(
    'select s.reason, s.detail from address_suppression s join email_message e using (brand_id, address_key) where e.message_id = $1',
    [messageId],
  );
  return rows[0] ?? null;
};
const consent = async (playerId: number) =>
  (await pool.query(`select opted_in from player_consent where player_id = $1 and type_key = 'email'`, [playerId]))
    .rows[0]?.opted_in;

describe('a delivery report', () => {
  test('to the envelope sender of the e-mail adds the address to the list, once', async () => {
    const { message_id, from } = await sent();
    const token = testTokens.write('report', { brand_id: brand.brand_id, message_id });
    expect(from).toBe(`bounces+${token}@malta.example`);
    const report = deliveryReport({ to: from, id: 'same' });
    expect(await post(report)).toMatchObject({ status: 200, body: { taken: 1 } });
    expect((await post(report)).body).toMatchObject({ repeated: 1 });
    expect(await suppressed(message_id)).toEqual({
      reason: 'bounced',
      detail: '5.1.1 smtp; 550 <(address)>: no such user here',
    });
    expect(await outcome(message_id)).toMatchObject({ bounced_at: clock.now() - 120_000_000 });
  });

  test('is matched by the headers of the e-mail that it contains', async () => {
    const { message_id, headers } = await sent();
    await post(deliveryReport({ to: 'bounces@malta.example', about: headers }));
    expect(await suppressed(message_id)).toMatchObject({ reason: 'bounced' });
  });

  test.each([
    ['5.2.2', null],
    ['5.7.1', null],
    ['4.4.7', null],
    ['5.2.1', 'bounced'],
    ['5.1.10', 'bounced'],
    ['5.1.8', null],
  ])('with the status %s: %s', async (status, reason) => {
    const { message_id, from } = await sent();
    await post(deliveryReport({ to: from, status }));
    expect((await suppressed(message_id))?.reason ?? null).toBe(reason);
    expect(await outcome(message_id)).toMatchObject({ bounced_at: clock.now() - 120_000_000 });
  });

  test('about a delay is ignored, about a delivery is stored', async () => {
    const { message_id, from } = await sent();
    expect((await post(deliveryReport({ to: from, action: 'delayed', status: '4.4.1' }))).body).toMatchObject({
      ignored: 1,
    });
    await post(deliveryReport({ to: from, action: 'delivered', status: '2.0.0' }));
    expect(await outcome(message_id)).toMatchObject({ bounced_at: null, delivered_at: clock.now() - 120_000_000 });
  });

  test('that is forged, or about an unknown e-mail, has no effect', async () => {
    const { message_id, from } = await sent();
    const forged = from.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
    expect((await post(deliveryReport({ to: forged }))).body).toMatchObject({ taken: 0, unknown_message: 1 });
    const named = deliveryReport({
      to: 'bounces@malta.example',
      about: `Message-ID: <${message_id}.${brand.code}@malta.example>`,
    });
    expect((await post(named)).body).toMatchObject({ taken: 0, ignored: 1 });
    const answer = lines(`To: ${from}`, 'Subject: Out of office', 'Content-Type: text/plain', '', 'Back on Monday');
    expect((await post(answer)).body).toMatchObject({ taken: 0, ignored: 1 });
    expect(await outcome(message_id)).toBeUndefined();
  });

  test('is accepted only with the key', async () => {
    const report = deliveryReport({ to: (await sent()).from });
    expect((await post(report, '')).status).toBe(403);
    expect((await post(report, '/another-key-of-no-brand')).status).toBe(404);
  });

  test.each([
    '',
    '\0',
    'Content-Type: multipart/report; boundary=',
    `Content-Type: multipart/report; boundary=x\r\n\r\n${'--x\r\n'.repeat(9_000)}`,
  ])('that is malformed is ignored', async (mail) => {
    expect(await post(mail)).toMatchObject({ status: 200, body: { taken: 0 } });
  });
});

describe('a complaint', () => {
  const complaint = (type: string, headers: string) =>
    lines(
      'From: <abuse@mailbox.example>',
      'To: <abuse@malta.example>',
      `Message-ID: <${Math.random()}@mailbox.example>`,
      'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'This is an email abuse report.',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      `Feedback-Type: ${type}`,
      'User-Agent: SomeGenerator/1.0',
      'Version: 1',
      '--b',
      'Content-Type: message/rfc822',
      '',
      headers,
      '',
      'For you',
      '--b--',
    );

  test('withdraws the consent and adds the address to the list', async () => {
    const { player_id, message_id, headers } = await sent();
    expect((await post(complaint('abuse', headers))).body).toMatchObject({ taken: 1 });
    expect(await consent(player_id)).toBe(false);
    expect(await suppressed(message_id)).toMatchObject({ reason: 'complained' });
    expect(await outcome(message_id)).toMatchObject({ complained_at: clock.now() });
  });

  test('that the player withdraws is ignored', async () => {
    const { player_id, headers } = await sent();
    expect((await post(complaint('not-spam', headers))).body).toMatchObject({ ignored: 1 });
    expect(await consent(player_id)).toBe(true);
  });
});
