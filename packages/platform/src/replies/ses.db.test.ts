import { createSign } from 'node:crypto';
import { expect, test } from 'vitest';
import { certificate, key } from '../../testing/channels/email/certificate.ts';
import { setupEmail, testTokens } from '../../testing/channels/email/setup-email.ts';
import { setupIngest } from '../../testing/replies/setup-ingest.ts';
import { serveWebhooks } from '../../testing/replies/setup-webhooks.ts';
import { type SnsMessage, textToSign } from './providers/sns.ts';

/* Amazon SES: its notifications arrive inside messages of Amazon SNS, which are signed with a certificate of Amazon. */
const stage = await setupIngest();
const { pool } = stage;
const topic = 'arn:aws:sns:eu-west-1:123456789012:mail';
const reportKey = 'a-key-of-the-brand-1';
const setup = await setupEmail(pool, { email: { reports: { ses_topic_arn: topic, key: reportKey } } });
await stage.brands.refresh();
const { brand, clock } = setup;
const fetched: string[] = [];
let answer = certificate;
const post = await serveWebhooks(stage, {
  brand,
  clock,
  fetchText: async (url) => {
    fetched.push(url);
    return answer;
  },
});
const file = 'SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem';
const SigningCertURL = `https://sns.eu-west-1.amazonaws.com/${file}`;

function signed(message: Partial<SnsMessage>, signedWith = key): SnsMessage {
  const whole = {
    Type: 'Notification',
    MessageId: 'e1f2a232',
    TopicArn: topic,
    Message: '{}',
    Timestamp: '2026-05-01T12:00:00.000Z',
    SignatureVersion: '2',
    SigningCertURL,
    ...message,
  } as SnsMessage;
  const signer = createSign(whole.SignatureVersion === '1' ? 'sha1' : 'sha256').update(textToSign(whole));
  return { ...whole, Signature: signer.sign(signedWith, 'base64') };
}
const send = (message: SnsMessage) =>
  post(`email/ses/${reportKey}`, JSON.stringify(message), { 'content-type': 'text/plain; charset=UTF-8' });

/** @returns a sent e-mail, and SES' report about it */
async function sent() {
  const player_id = await setup.player();
  const message_id = await setup.email(player_id);
  await setup.run();
  const token = testTokens.write('report', { brand_id: brand.brand_id, message_id });
  const mail = { messageId: '0100018', tags: { message: [token] } };
  return { player_id, message_id, token, mail };
}
const outcome = async (messageId: number) => {
  await stage.derive();
  return (await pool.query('select * from message_outcome where message_id = $1', [String(messageId)])).rows[0];
};

test('deliveries and complaints are read, by tag or by header, with both signature versions', async () => {
  const { player_id, message_id, token, mail } = await sent();
  const raw = setup.server.mails.find(({ raw }) => raw.includes(`<${message_id}.`))?.raw.toString('utf8') ?? '';
  expect(raw).toMatch(new RegExp(`^X-SES-Message-Tags: message=${token}\\r$`, 'im'));
  const timestamp = '2026-05-01T11:59:30.000Z';
  const delivered = { eventType: 'Delivery', mail, delivery: { timestamp } };
  const first = signed({ Message: JSON.stringify(delivered), MessageId: 's-1', Subject: 'Amazon SES' });
  expect((await send(first)).body).toMatchObject({ taken: 1 });
  expect((await send(first)).body).toMatchObject({ repeated: 1 });
  const headers = [{ name: 'x-message-token', value: token }];
  const complained = { notificationType: 'Complaint', mail: { messageId: '1', headers }, complaint: { timestamp } };
  const second = signed({ Message: JSON.stringify(complained), MessageId: 's-2', SignatureVersion: '1' });
  expect((await send(second)).body).toMatchObject({ taken: 1 });
  const at = clock.now() - 30_000_000;
  expect(await outcome(message_id)).toMatchObject({ delivered_at: at, complained_at: at });
  const { rows } = await pool.query(`select opted_in from player_consent where player_id = $1 and type_key = 'email'`, [
    player_id,
  ]);
  expect(rows).toEqual([{ opted_in: false }]);
  // One certificate for all of them.
  expect(fetched).toEqual([SigningCertURL]);
});

test('a permanent bounce is hard, any other is soft', async () => {
  const { message_id, mail } = await sent();
  const address = async () => {
    const { rowCount } = await pool.query(
      'select from address_suppression s join email_message e using (brand_id, address_key) where e.message_id = $1',
      [message_id],
    );
    return rowCount;
  };
  const bounce = (bounceType: string, diagnosticCode?: string) => {
    const bouncedRecipients = [{ diagnosticCode }];
    return JSON.stringify({ eventType: 'Bounce', mail, bounce: { bounceType, bouncedRecipients } });
  };
  await send(signed({ Message: bounce('Transient'), MessageId: 'b-1' }));
  expect(await address()).toBe(0);
  await send(signed({ Message: bounce('Permanent', 'smtp; 550 5.7.1 blocked'), MessageId: 'b-3' }));
  expect(await address()).toBe(0);
  await send(signed({ Message: bounce('Permanent'), MessageId: 'b-2' }));
  expect(await address()).toBe(1);
});

test('a recipient who says that an e-mail is no spam does not complain', async () => {
  const { message_id, mail } = await sent();
  const message = { eventType: 'Complaint', mail, complaint: { complaintFeedbackType: 'not-spam' } };
  expect((await send(signed({ Message: JSON.stringify(message), MessageId: 'n-1' }))).body).toMatchObject({
    ignored: 1,
  });
  expect(await outcome(message_id)).not.toMatchObject({ complained_at: expect.anything() });
});

test("a subscription to the brand's topic is confirmed, only at an address of Amazon", async () => {
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=x';
  const confirmation = { Type: 'SubscriptionConfirmation', Token: 'x' };
  await send(signed({ ...confirmation, SubscribeURL: 'https://10.0.0.1/x' }));
  expect(fetched).toHaveLength(1);
  expect((await send(signed({ ...confirmation, SubscribeURL }))).status).toBe(200);
  expect(fetched.at(-1)).toBe(SubscribeURL);
});

const forgedAddresses = [
  `https://sns.eu-west-1.amazonaws.com.evil.example/${file}`,
  `http://sns.eu-west-1.amazonaws.com/${file}`,
  `https://sns.eu-west-1.amazonaws.com:8443/${file}`,
  `https://a:b@sns.eu-west-1.amazonaws.com/${file}`,
  `https://sns.eu-west-1.amazonaws.com/x/${file}`,
  `https://sns.eu-west-1.amazonaws.com/${file}?x=.pem`,
  `https://sns.eu-west-1.amazonaws.com/?Action=GetEndpointAttributes&x=/${file}`,
  'https://sns.eu-west-1.amazonaws.com/x.pem',
];

test('a message with another topic, signature or certificate is refused, and nothing is fetched', async () => {
  const before = fetched.length;
  const good = signed({});
  const refused: SnsMessage[] = [
    { ...good, Message: '{"eventType":"Delivery"}' },
    { ...good, TopicArn: `${topic}2` },
    ...forgedAddresses.map((url) => signed({ SigningCertURL: url })),
    { ...good, SignatureVersion: '3' },
  ];
  for (const message of refused) expect((await send(message)).status).toBe(403);
  expect(fetched.length).toBe(before);
  expect((await send({ ...good, Signature: undefined } as unknown as SnsMessage)).status).toBe(400);
});

test('an answer that only contains a certificate is no certificate', async () => {
  const url = SigningCertURL.replace('eu-west-1', 'eu-west-2');
  for (const text of [`<Value>\n${certificate}</Value>`, `${certificate}${certificate}`, '']) {
    answer = text;
    expect((await send(signed({ SigningCertURL: url }))).status).toBe(403);
  }
  // A wrong answer is not kept.
  answer = certificate;
  expect((await send(signed({ SigningCertURL: url }))).status).toBe(200);
});

test('a Message-ID alone identifies no e-mail, because it can be guessed', async () => {
  const { message_id } = await sent();
  const headers = [{ name: 'Message-ID', value: `<${message_id}.${brand.code}@casino.example>` }];
  const complained = JSON.stringify({ eventType: 'Complaint', mail: { headers }, complaint: {} });
  const { body } = await send(signed({ Message: complained, MessageId: 'm-1' }));
  expect(body).toMatchObject({ taken: 0, unknown_message: 1 });
  expect(await outcome(message_id)).not.toMatchObject({ complained_at: expect.anything() });
});
