import { describe, expect, test } from 'vitest';
import { accountSid, setupCalls, twilioTo } from '../../testing/channels/calls/setup-calls.ts';
import { answer } from '../../testing/channels/calls/start-provider.ts';
import { testTokens } from '../../testing/channels/email/setup-email.ts';
import { setupIngest } from '../../testing/replies/setup-ingest.ts';
import { serveWebhooks } from '../../testing/replies/setup-webhooks.ts';
import { signedHeaders } from '../channels/calls/sign.ts';
import { timestamptzText } from '../database/index.ts';
import { twilioSignature } from './twilio-signature.ts';

/* Reports of SMS providers, and replies of players: events in the ledger about the sent message. */
const stage = await setupIngest();
const { pool } = stage;
const twilio = await setupCalls(pool);
await twilio.set('sms', twilioTo(twilio.provider));
const other = await setupCalls(pool);
await stage.brands.refresh();
const call = await serveWebhooks(stage, twilio);

const outcome = async (messageId: number) => {
  await stage.derive();
  return (await pool.query('select * from message_outcome where message_id = $1', [String(messageId)])).rows[0];
};
const events = async (playerId: number) => {
  await stage.derive();
  const { rows } = await pool.query<{ what: string; message_id: string; reason: string }>(
    'select what, message_id, reason from message_event where player_id = $1 order by what',
    [playerId],
  );
  return rows;
};

/** A form as Twilio posts it. @param query of the address */
async function post(fields: Record<string, string>, query = '') {
  const form = new URLSearchParams({ AccountSid: accountSid, ...fields });
  const signature = twilioSignature(
    'a token',
    `https://crm.example/channels/${twilio.brand.code}/sms/twilio${query}`,
    form,
  );
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
  return call(`sms/twilio${query}`, form.toString(), headers).catch(() => ({ status: 200, body: null }));
}

async function sent(mobile?: string) {
  const player_id = await twilio.player(mobile);
  const message_id = await twilio.sms(player_id, { campaign_id: 'welcome' });
  await twilio.run();
  const { provider_id } = await twilio.read(message_id);
  const token = testTokens.write('report', { brand_id: twilio.brand.brand_id, message_id });
  return { player_id, message_id, sid: String(provider_id), query: `?message=${token}` };
}

describe('Twilio', () => {
  test('gets the address for reports, and its report becomes a fact once', async () => {
    const { message_id, sid, query } = await sent();
    const form = new URLSearchParams(String(twilio.provider.taken.at(-1)?.body));
    expect(form.get('StatusCallback')).toBe(`https://crm.example/channels/${twilio.brand.code}/sms/twilio${query}`);
    for (const MessageStatus of ['queued', 'sent', 'delivered', 'delivered'])
      expect((await post({ MessageSid: sid, MessageStatus }, query)).status).toBe(200);
    expect(await outcome(message_id)).toMatchObject({
      channel: 'sms',
      campaign_id: 'welcome',
      delivered_at: twilio.clock.now(),
      bounced_at: null,
    });
  });

  test.each([
    ['30005', 'hard', 1],
    ['30008', 'soft', 0],
    ['30007', 'policy', 0],
  ])('code %s is a %s bounce', async (ErrorCode, reason, listed) => {
    const { player_id, message_id, sid, query } = await sent();
    await post({ MessageSid: sid, MessageStatus: 'undelivered', ErrorCode }, query);
    expect(await events(player_id)).toEqual([{ what: 'bounced', message_id: String(message_id), reason }]);
    const { rowCount } = await pool.query(
      'select from address_suppression s join called_message c using (brand_id, address_key) where c.message_id = $1',
      [message_id],
    );
    expect(rowCount).toBe(listed);
  });

  test('a report about an unknown message is counted and answered', async () => {
    expect((await post({ MessageSid: 'SM404', MessageStatus: 'delivered' })).status).toBe(200);
    const { rows } = await pool.query(`select reports from report_tally where outcome = 'unknown_message'`);
    expect(rows).toEqual([{ reports: 1 }]);
  });

  test('a reply is an event about the last SMS; STOP is also an unsubscription, once', async () => {
    const { player_id, message_id } = await sent('99 800 001');
    await post({ MessageSid: 'SM-in-1', From: '+35699800001', Body: 'thanks' });
    for (let time = 0; time < 2; time++) await post({ MessageSid: 'SM-in-2', From: '+35699800001', Body: 'STOP' });
    const about = { message_id: String(message_id), reason: '' };
    expect(await events(player_id)).toEqual([
      { what: 'replied', ...about },
      { what: 'replied', ...about },
      { what: 'unsubscribed', ...about },
    ]);
    expect(await outcome(message_id)).toMatchObject({
      replied_at: twilio.clock.now(),
      unsubscribed_at: twilio.clock.now(),
    });
  });

  test('a reply of a player without any SMS is an event without a message', async () => {
    const player_id = await twilio.player('99 800 002');
    await post({ MessageSid: 'SM-in-3', From: '+35699800002', Body: 'STOP' });
    expect(await events(player_id)).toMatchObject([
      { what: 'replied', message_id: '' },
      { what: 'unsubscribed', message_id: '' },
    ]);
  });

  test('STOP also counts for a player to whom an SMS was sent at this number, and who has another number now', async () => {
    const { player_id } = await sent('99 800 007');
    await pool.query(`update player_profile set mobile = '99 800 008' where player_id = $1`, [player_id]);
    await post({ MessageSid: 'SM-in-7', From: '+35699800007', Body: 'thanks' });
    expect(await events(player_id)).toEqual([]);
    await post({ MessageSid: 'SM-in-8', From: '+35699800007', Body: 'STOP' });
    const consents = await pool.query(`select opted_in from player_consent where player_id = $1 and type_key = 'sms'`, [
      player_id,
    ]);
    expect(consents.rows).toEqual([{ opted_in: false }]);
    expect((await events(player_id)).map(({ what }) => what)).toEqual(['replied', 'unsubscribed']);
  });

  test('STOP withdraws the consent even while the ledger is unavailable', async () => {
    const { player_id } = await sent('99 800 003');
    stage.fail(true);
    expect((await post({ MessageSid: 'SM-in-4', From: '+35699800003', Body: 'STOP' })).status).toBe(503);
    stage.fail(false);
    const consents = await pool.query(`select opted_in from player_consent where player_id = $1 and type_key = 'sms'`, [
      player_id,
    ]);
    expect(consents.rows).toEqual([{ opted_in: false }]);
    await post({ MessageSid: 'SM-in-4', From: '+35699800003', Body: 'STOP' });
    expect(await events(player_id)).toHaveLength(2);
  });
});

test('any provider that posts JSON is read according to its settings, and authenticated by the key', async () => {
  const report_key = 'a-key-of-the-brand-1';
  other.provider.usual = answer(200, { id: 'm-77' });
  const reports = {
    id: 'message.id',
    status: 'message.state',
    delivered: ['DELIVRD'],
    undelivered: ['EXPIRED'],
    no_such_number: ['UNDELIV'],
    policy: ['REJECTD'],
  };
  const http = { provider: 'http', url: `${other.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  await other.set('sms', { ...http, report_key, reports });
  const player_id = await other.player();
  const message_id = await other.sms(player_id);
  await other.run();
  expect(await other.read(message_id)).toMatchObject({ state: 'sent', provider_id: 'm-77' });
  const tell = await serveWebhooks(stage, other);
  const said = (state: string) => JSON.stringify({ message: { id: 'm-77', state } });
  expect((await tell('sms/http', said('DELIVRD'))).status).toBe(403);
  expect((await tell('sms/http/not-the-key-of-brand', said('DELIVRD'))).status).toBe(404);
  expect((await tell(`sms/http/${report_key}`, said('ACCEPTD'))).body).toMatchObject({ ignored: 1 });
  expect((await tell(`sms/http/${report_key}`, said('DELIVRD'))).body).toMatchObject({ taken: 1 });
  expect((await tell(`sms/http/${report_key}`, said('DELIVRD'))).body).toMatchObject({ repeated: 1 });
  expect((await tell(`sms/http/${report_key}`, said('REJECTD'))).body).toMatchObject({ taken: 1 });
  expect((await tell(`sms/http/${report_key}`, said('UNDELIV'))).body).toMatchObject({ taken: 1 });
  expect(await events(player_id)).toMatchObject([
    { what: 'bounced', reason: 'hard' },
    { what: 'bounced', reason: 'policy' },
    { what: 'delivered' },
  ]);
});

test('a report that arrives before the call has returned the id of its message is refused, and taken when it is repeated', async () => {
  const report_key = 'a-key-of-the-brand-4';
  const quick = await setupCalls(pool);
  await stage.brands.refresh();
  const reports = { id: 'id', status: 'state', delivered: ['DELIVRD'], undelivered: ['EXPIRED'] };
  const http = { provider: 'http', url: `${quick.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  await quick.set('sms', { ...http, report_key, reports });
  const tell = await serveWebhooks(stage, quick);
  const said = (id: string) => tell(`sms/http/${report_key}`, JSON.stringify({ id, state: 'DELIVRD' }));
  const early: number[] = [];
  quick.provider.usual = async (response) => {
    early.push((await said('q-1')).status);
    // Another report, about a message that is really unknown.
    early.push((await said('q-0')).status);
    quick.clock.advance(121_000_000);
    early.push((await said('q-0')).status);
    answer(200, { id: 'q-1' })(response);
  };
  const player_id = await quick.player();
  await quick.sms(player_id);
  await quick.run();
  expect(early).toEqual([503, 503, 200]);
  expect((await said('q-1')).body).toMatchObject({ taken: 1 });
  expect((await said('q-2')).body).toMatchObject({ unknown_message: 1 });
  expect(await events(player_id)).toMatchObject([{ what: 'delivered' }]);
});

test('a report is taken if the id of its message is stored between the look-up of the message and that of the calls under way', async () => {
  const report_key = 'a-key-of-the-brand-5';
  const quick = await setupCalls(pool);
  await stage.brands.refresh();
  const reports = { id: 'id', status: 'state', delivered: ['DELIVRD'], undelivered: ['EXPIRED'] };
  const http = { provider: 'http', url: `${quick.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  await quick.set('sms', { ...http, report_key, reports });
  const { promise: called, resolve: isCalled } = Promise.withResolvers<() => void>();
  quick.provider.usual = (response) => isCalled(() => answer(200, { id: 'r-1' })(response));
  const player_id = await quick.player();
  await quick.sms(player_id);
  const sending = quick.run();
  const giveAnswer = await called;
  // The provider answers, and the outcome is committed, after the report did not find its message.
  const held = new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return async (query: unknown, ...more: unknown[]) => {
        if ((query as { name?: string }).name === 'is_channel_sending') {
          giveAnswer();
          await sending;
        }
        return (target.query as (...given: unknown[]) => unknown).call(target, query, ...more);
      };
    },
  });
  const tell = await serveWebhooks({ ...stage, pool: held }, quick);
  const { body } = await tell(`sms/http/${report_key}`, JSON.stringify({ id: 'r-1', state: 'DELIVRD' }));
  expect(body).toMatchObject({ taken: 1, unknown_message: 0 });
  expect(await events(player_id)).toMatchObject([{ what: 'delivered' }]);
});

describe("the operator's own channel", async () => {
  const app = await setupCalls(pool);
  await stage.brands.refresh();
  const secret = 'a secret of the operator';
  await app.set('operator', { url: `${app.provider.origin}/messages`, secret });
  const tell = await serveWebhooks(stage, app);
  const report = (given: unknown, { by = secret, age = 0 } = {}) => {
    const body = JSON.stringify(given);
    const signing = { id: 'report-1', body, secret: by, at: app.clock.now() - age };
    return tell('operator/http', body, signedHeaders(signing, app.brand.settings.reference_prefix));
  };
  const message = async () => {
    const player_id = await app.player();
    return {
      player_id,
      message_id: await app.send('operator', player_id, { title: 'Hello', text: 'Hello', data: '{}' }),
    };
  };

  test('its signed reports become facts once, one by one or together', async () => {
    const { player_id, message_id } = await message();
    const at = timestamptzText(app.clock.now() - 5_000_000);
    expect((await report({ message_id, event: 'delivered', at })).body).toMatchObject({ taken: 1 });
    const reports = [
      { message_id: String(message_id), event: 'delivered', at },
      { message_id, event: 'clicked', link: '2' },
      { message_id, event: 'complained' },
      { message_id: 4_711, event: 'opened' },
    ];
    expect((await report({ reports })).body).toEqual({ taken: 1, repeated: 1, unknown_message: 1, ignored: 1 });
    expect(await events(player_id)).toMatchObject([{ what: 'clicked' }, { what: 'delivered' }]);
    expect(await outcome(message_id)).toMatchObject({ channel: 'operator', delivered_at: app.clock.now() - 5_000_000 });
  });

  test('the link of a click may be a number, and entries that cannot be read are ignored without harm to the others', async () => {
    const { player_id, message_id } = await message();
    const reports = [
      { message_id, event: 'clicked', link: 1 },
      { message_id, event: 'clicked', link: 2 },
      { message_id, event: 'clicked', link: 'x'.repeat(1_000) },
      { message_id, event: { toString: 1 } },
      { message_id: { toString: 1 }, event: 'opened' },
      { message_id, event: ['opened'] },
      { message_id, event: 'delivered' },
    ];
    const { status, body } = await report({ reports });
    expect({ status, ...body }).toEqual({ status: 200, taken: 3, repeated: 0, unknown_message: 0, ignored: 4 });
    const again = { message_id: `0${message_id}`, event: 'clicked', link: '02' };
    expect((await report(again)).body).toMatchObject({ repeated: 1 });
    expect(await events(player_id)).toMatchObject([{ what: 'clicked' }, { what: 'clicked' }, { what: 'delivered' }]);
  });

  test('a report with a wrong or an old signature, or about the message of another channel, has no effect', async () => {
    const { message_id } = await message();
    const given = { message_id, event: 'delivered' };
    expect((await report(given, { by: 'another secret' })).status).toBe(403);
    expect((await report(given, { age: 301_000_000 })).status).toBe(403);
    expect((await tell('operator/http', JSON.stringify(given))).status).toBe(403);
    expect((await tell('operator/http/any-key', JSON.stringify(given))).status).toBe(404);
    expect((await report({ ...given, detail: 'x'.repeat(5_000) })).status).toBe(413);
    expect((await report('text')).body).toMatchObject({ taken: 0, ignored: 1 });
    const sms = await twilio.sms(await twilio.player());
    expect((await report({ ...given, message_id: sms })).body).toMatchObject({ unknown_message: 1 });
    expect(await outcome(message_id)).toBeUndefined();
  });
});

test('a report finds its message even if the id of the provider is long and contains a character that cannot be stored', async () => {
  const report_key = 'a-key-of-the-brand-3';
  const long = await setupCalls(pool);
  await stage.brands.refresh();
  const id = `m\u0000-${'7'.repeat(120)}`;
  long.provider.usual = answer(200, { id });
  const reports = { id: 'id', status: 'state', delivered: ['DELIVRD'], undelivered: ['EXPIRED'] };
  const replies = { id: 'id', from: 'from', text: 'text' };
  const http = { provider: 'http', url: `${long.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  await long.set('sms', { ...http, report_key, reports, replies });
  const player_id = await long.player('99 900 009');
  const message_id = await long.sms(player_id);
  await long.run();
  expect(await long.read(message_id)).toMatchObject({ state: 'sent', attempts: 1 });
  const tell = await serveWebhooks(stage, long);
  const said = (body: object) => tell(`sms/http/${report_key}`, JSON.stringify(body));
  expect((await said({ id, state: 'DELIVRD' })).body).toMatchObject({ taken: 1 });
  expect(await events(player_id)).toMatchObject([{ what: 'delivered' }]);
  // Such an id does not prevent a STOP either.
  expect((await said({ id: `x\u0000`, state: 'DELIVRD', from: '35699900009', text: 'STOP' })).status).toBe(200);
  const { rows } = await pool.query(`select opted_in from player_consent where player_id = $1 and type_key = 'sms'`, [
    player_id,
  ]);
  expect(rows).toEqual([{ opted_in: false }]);
});

describe('a reply through any provider that posts JSON', async () => {
  const report_key = 'a-key-of-the-brand-2';
  const own = await setupCalls(pool);
  await stage.brands.refresh();
  own.provider.usual = answer(200, { id: 'm-78' });
  const http = { provider: 'http', url: `${own.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  const replies = { id: 'in.id', from: 'in.from', text: 'in.text' };
  await own.set('sms', { ...http, report_key, replies });
  const tell = await serveWebhooks(stage, own);
  const reply = (id: string, from: string, text: string, key = report_key) =>
    tell(`sms/http/${key}`, JSON.stringify({ in: { id, from, text } }));
  const consentOf = async (player: number) =>
    (
      await pool.query<{ opted_in: boolean }>(
        `select opted_in from player_consent where player_id = $1 and type_key = 'sms'`,
        [player],
      )
    ).rows[0]?.opted_in;

  test('STOP withdraws the consent, whether the number is written with +, 00 or neither; other replies are only events', async () => {
    const player = await own.player('99 900 001');
    expect((await reply('in-1', '+35699900001', 'thanks')).body).toMatchObject({ taken: 1 });
    expect(await consentOf(player)).toBe(true);
    expect((await reply('in-2', '35699900001', 'Stop!', 'another-key-of-brand')).status).toBe(404);
    expect(await consentOf(player)).toBe(true);
    expect((await reply('in-2', '35699900001', 'Stop!')).body).toMatchObject({ taken: 2 });
    expect(await consentOf(player)).toBe(false);
    expect((await events(player)).map(({ what }) => what)).toEqual(['replied', 'replied', 'unsubscribed']);
    const next = await own.player('99 900 002');
    await reply('in-3', '0035699900002', 'avsluta');
    expect(await consentOf(next)).toBe(false);
    expect((await reply('in-4', '35699999999', 'STOP')).body).toMatchObject({ taken: 0, unknown_message: 1 });
    expect((await reply('', '', '')).body).toMatchObject({ taken: 0, unknown_message: 1 });
  });

  test('a call without sender or text is ignored', async () => {
    expect((await tell(`sms/http/${report_key}`, '{"message": {"id": "m-78"}}')).body).toMatchObject({ ignored: 1 });
  });

  test('the same STOP again does not withdraw what the player has granted since', async () => {
    const player = await own.player('99 900 003');
    await reply('in-5', '35699900003', 'STOP');
    expect(await consentOf(player)).toBe(false);
    await pool.query(`update player_consent set opted_in = true where player_id = $1 and type_key = 'sms'`, [player]);
    expect((await reply('in-5', '35699900003', 'STOP')).body).toMatchObject({ taken: 0, repeated: 2 });
    expect(await consentOf(player)).toBe(true);
    await reply('in-6', '35699900003', 'STOP');
    expect(await consentOf(player)).toBe(false);
  });

  test('a repeated STOP without an id withdraws again only if the withdrawal is in doubt or the consent was given since', async () => {
    const player = await own.player('99 900 004');
    const stop = (text: string) =>
      tell(`sms/http/${report_key}`, JSON.stringify({ in: { from: '35699900004', text } }));
    const set = (change: string) =>
      pool.query(`update player_consent set ${change} where player_id = $1 and type_key = 'sms'`, [player]);
    const withdrawals = async () =>
      (
        await pool.query(
          `select from write_back_item where player_id = $1 and record = 'consents' and type = 'SMS' and wanted = false`,
          [player],
        )
      ).rowCount;
    expect((await stop('STOP')).body).toMatchObject({ taken: 2 });
    expect([await consentOf(player), await withdrawals()]).toEqual([false, 1]);
    await set('unconfirmed = false');
    expect((await stop('STOP')).body).toMatchObject({ taken: 0, repeated: 2 });
    expect(await withdrawals()).toBe(1);
    // The operator did not confirm it.
    await set('unconfirmed = false, in_doubt = true');
    await stop('STOP');
    expect(await withdrawals()).toBe(2);
    // The player has opted in since then. The reply may be new, so it counts.
    await set('opted_in = true, unconfirmed = false, in_doubt = false');
    await stop('STOP');
    expect([await consentOf(player), await withdrawals()]).toEqual([false, 3]);
    expect((await events(player)).map(({ what }) => what)).toEqual(['replied', 'unsubscribed']);
    await stop('thanks');
    expect(await events(player)).toHaveLength(2);
  });

  test('a STOP that is repeated because the ledger was unavailable does not withdraw a second time', async () => {
    const player = await own.player('99 900 005');
    const withdrawals = async () =>
      (await pool.query(`select from write_back_item where player_id = $1 and record = 'consents'`, [player])).rowCount;
    stage.fail(true);
    expect((await reply('in-7', '35699900005', 'STOP')).status).toBe(503);
    stage.fail(false);
    expect([await consentOf(player), await withdrawals()]).toEqual([false, 1]);
    await pool.query(`update player_consent set unconfirmed = false where player_id = $1 and type_key = 'sms'`, [
      player,
    ]);
    expect((await reply('in-7', '35699900005', 'STOP')).body).toMatchObject({ taken: 2 });
    expect(await withdrawals()).toBe(1);
  });
});

test('a call with sender and text is a report if the settings define its status, but a STOP is always a reply', async () => {
  const report_key = 'a-key-of-the-brand-3';
  const own = await setupCalls(pool);
  await stage.brands.refresh();
  own.provider.usual = answer(200, { id: 'm-79' });
  const http = { provider: 'http', url: `${own.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  const reports = { id: 'id', status: 'status', delivered: ['DELIVRD'] };
  await own.set('sms', { ...http, report_key, reports, replies: { id: 'id', from: 'from', text: 'text' } });
  const player = await own.player('99 910 001');
  await own.sms(player);
  await own.run();
  const tell = await serveWebhooks(stage, own);
  const post = (body: object) => tell(`sms/http/${report_key}`, JSON.stringify({ from: '35699910001', ...body }));
  await post({ id: 'm-79', status: 'DELIVRD', text: 'Stop by tonight: ten spins for you' });
  expect((await events(player)).map(({ what }) => what)).toEqual(['delivered']);
  await post({ id: 'in-1', status: 'RECEIVED', text: 'thanks' });
  await post({ id: 'in-2', status: 'DELIVRD', text: 'STOP' });
  expect((await events(player)).map(({ what }) => what)).toEqual(['delivered', 'replied', 'replied', 'unsubscribed']);
});

describe('a provider that posts lists', async () => {
  const report_key = 'a-key-of-the-brand-4';
  const own = await setupCalls(pool);
  await stage.brands.refresh();
  const http = { provider: 'http', url: `${own.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  const replies = { id: 'results.*.messageId', from: 'results.*.from', text: 'results.*.text' };
  const reports = { id: 'results.*.messageId', status: 'results.*.status', delivered: ['DELIVRD'] };
  await own.set('sms', { ...http, report_key, reports, replies });
  const tell = await serveWebhooks(stage, own);
  const post = (results: object[]) => tell(`sms/http/${report_key}`, JSON.stringify({ results }));
  const isOptedIn = async (player: number) =>
    (await pool.query(`select opted_in from player_consent where player_id = $1 and type_key = 'sms'`, [player]))
      .rows[0]?.opted_in;
  const counts = async () =>
    Object.fromEntries(
      (
        await pool.query('select outcome, reports from report_tally where brand_id = $1', [own.brand.brand_id])
      ).rows.map(({ outcome, reports }) => [outcome, reports]),
    );

  test('every element counts, a report or a reply, and all are counted', async () => {
    const [first, second] = [await own.player('99 920 001'), await own.player('99 920 002')];
    own.provider.answers = [answer(200, { id: 'm-1' }), answer(200, { id: 'm-2' })];
    await own.sms(first);
    await own.run();
    await own.sms(second);
    await own.run();
    const { body } = await post([
      { messageId: 'm-1', status: 'DELIVRD' },
      { messageId: 'r-1', from: '35699920001', text: 'thanks' },
      { messageId: 'm-2', status: 'DELIVRD' },
      { messageId: 'r-2', from: '35699920002', text: 'STOP' },
      { messageId: 'r-3', from: '35699999999', text: 'STOP' },
      {},
    ]);
    expect(body).toEqual({ taken: 5, repeated: 0, unknown_message: 1, ignored: 1 });
    expect([await isOptedIn(first), await isOptedIn(second)]).toEqual([true, false]);
    expect((await events(first)).map(({ what }) => what)).toEqual(['delivered', 'replied']);
    expect((await events(second)).map(({ what }) => what)).toEqual(['delivered', 'replied', 'unsubscribed']);
    expect(await counts()).toEqual({ taken: 5, unmatched_stop: 1, ignored: 1 });
  });

  test('an empty list is ignored, and one with too many elements is refused', async () => {
    expect((await post([])).body).toMatchObject({ taken: 0, ignored: 1 });
    expect((await post(Array.from({ length: 1_001 }, () => ({})))).status).toBe(413);
  });

  test('a number without its country code is read within the country of each player', async () => {
    const player = await own.player('99 920 003');
    await post([{ messageId: 'r-4', from: '99920003', text: 'STOP' }]);
    expect(await isOptedIn(player)).toBe(false);
    const [maltese, cypriot] = [await own.player('99 920 004'), await own.player('99 920 004')];
    await pool.query(`update player_profile set mobile_prefix = '357' where player_id = $1`, [cypriot]);
    // A complete number identifies the player, even if it is written without +.
    await post([{ messageId: 'r-5', from: '35799920004', text: 'thanks' }]);
    expect([await events(maltese), (await events(cypriot)).length]).toEqual([[], 1]);
    expect((await post([{ messageId: 'r-6', from: '99920004', text: 'thanks' }])).body).toMatchObject({
      unknown_message: 1,
    });
    await post([{ messageId: 'r-7', from: '099920004', text: 'STOP' }]);
    expect([await isOptedIn(maltese), await isOptedIn(cypriot)]).toEqual([false, false]);
  });
});

test('paths of reports and replies that name different lists are refused', async () => {
  const replies = { id: 'a.*.id', from: 'b.*.from', text: 'a.*.text' };
  const http = { provider: 'http', url: 'https://sms.example/send', body: '{{ to }}' };
  await expect(other.set('sms', { ...http, replies })).rejects.toThrow('must name the same list');
});

test('a report is about the newest SMS with its id, and never about a message of another channel', async () => {
  const report_key = 'a-key-of-the-brand-5';
  const own = await setupCalls(pool);
  await stage.brands.refresh();
  own.provider.usual = answer(200, { id: '1001' });
  const http = { provider: 'http', url: `${own.provider.origin}/send`, body: '{{ to }}', answer: { id: 'id' } };
  await own.set('sms', { ...http, report_key, reports: { id: 'id', status: 'state', delivered: ['DELIVRD'] } });
  await own.set('operator', { url: `${own.provider.origin}/own`, secret: 'shared' });
  const player = await own.player();
  const sms: number[] = [];
  for (let n = 0; n < 2; n++) {
    sms.push(await own.sms(player));
    await own.run();
  }
  await own.send('operator', player, { title: 'Hi', text: 'x', data: '{}' });
  await own.run();
  const tell = await serveWebhooks(stage, own);
  const { body } = await tell(`sms/http/${report_key}`, JSON.stringify({ id: '1001', state: 'DELIVRD' }));
  expect(body).toMatchObject({ taken: 1, unknown_message: 0 });
  expect(await events(player)).toMatchObject([{ what: 'delivered', message_id: String(sms[1]) }]);
});

test('a report with our own id finds an SMS whose call got no answer', async () => {
  const report_key = 'a-key-of-the-brand-6';
  const own = await setupCalls(pool);
  await stage.brands.refresh();
  own.provider.usual = answer(500);
  const http = { provider: 'http', url: `${own.provider.origin}/send`, body: '{{ message_id }}', answer: { id: 'id' } };
  const reports = { id: '*.id', reference: '*.ref', status: '*.state', delivered: ['DELIVRD'] };
  await own.set('sms', { ...http, report_key, reports });
  const player = await own.player();
  const id = await own.sms(player);
  await own.run();
  expect(await own.read(id)).toMatchObject({ state: 'unknown' });
  const tell = await serveWebhooks(stage, own);
  const post = (...list: object[]) => tell(`sms/http/${report_key}`, JSON.stringify(list));
  const ref = String(own.provider.taken[0]?.body);
  expect((await post({ id: 'x', ref: '1', state: 'DELIVRD' })).body).toMatchObject({ unknown_message: 1 });
  expect((await post({ id: 'x', ref, state: 'DELIVRD' })).body).toMatchObject({ taken: 1 });
  expect(await events(player)).toMatchObject([{ what: 'delivered', message_id: String(id) }]);
});
