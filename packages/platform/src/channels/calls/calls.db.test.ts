import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { accountSid, setupCalls, twilioTo } from '../../../testing/channels/calls/setup-calls.ts';
import { answer, cut, silence, startProvider } from '../../../testing/channels/calls/start-provider.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { transaction } from '../../database/index.ts';
import { playerChannels } from '../registry.ts';
import { expireWaitingCalls, giveUpLostCalls } from './store.ts';

const { pool } = await setupDatabase();
const setup = await setupCalls(pool);
const { provider, brand } = setup;
await setup.set('sms', twilioTo(provider));
await setup.set('webhook', { secret: 'shared', call_timeout_ms: 500, per_second: 1_000 });
await setup.set('operator', { url: `${provider.origin}/messages`, secret: 'shared', call_timeout_ms: 500 });

const callsOf = (messageId: number) =>
  provider.taken.filter(({ headers }) => headers['x-crm-id'] === String(messageId));

describe('an SMS by Twilio', () => {
  test('is a form with the number in E.164 and HTTP Basic, and stores the id that the provider returns', async () => {
    const id = await setup.sms(await setup.player('99 123 456'));
    await setup.run();
    const call = provider.taken.at(-1);
    expect(call?.path).toBe(`/2010-04-01/Accounts/${accountSid}/Messages.json`);
    expect(call?.headers.authorization).toBe(`Basic ${Buffer.from(`${accountSid}:a token`).toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      To: '+35699123456',
      From: '+15550100',
      Body: 'Ten spins for you',
      StatusCallback: expect.stringMatching(/^https:\/\/crm\.example\/channels\/.*\/sms\/twilio\?message=[\da-f-]+$/),
    });
    expect(await setup.read(id)).toMatchObject({ state: 'sent', parts: 1, attempts: 1, status: 201 });
    expect((await setup.read(id)).provider_id).toMatch(/^SM\d+$/);
  });

  test('is withheld if the player has no number, or an invalid one', async () => {
    const ids = [await setup.sms(await setup.player('')), await setup.sms(await setup.player('12'))];
    const rows = await Promise.all(ids.map(setup.read));
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ['withheld', 'no_number'],
      ['withheld', 'bad_number'],
    ]);
  });

  test.each([
    ['does not answer', silence, 'timeout'],
    ['breaks the connection', cut, 'cut'],
    ['answers 500 after it accepted the SMS', answer(500, 'oops'), 'server_error'],
    ['answers 201 without an id of the message', answer(201, 'ok'), 'unclear'],
  ] as const)('to a provider that accepts it and %s is unknown, and never sent again', async (_, behaves, reason) => {
    const id = await setup.sms(await setup.player());
    const before = provider.taken.length;
    provider.answers.push(behaves);
    await setup.run();
    await setup.run();
    expect(await setup.read(id)).toMatchObject({ state: 'unknown', reason, attempts: 1 });
    expect(provider.taken.length - before).toBe(1);
  });

  test.each([
    [400, { code: 21_211, message: 'The To number +35699 is not valid' }, 'failed', 'no_such_number'],
    [400, { code: 21_612 }, 'failed', 'refused'],
    [400, { code: 21_610 }, 'failed', 'opted_out'],
    [400, { code: 30_000 }, 'failed', 'refused'],
    [401, { code: 20_003 }, 'waiting', 'auth_failed'],
    [429, { code: 20_429 }, 'waiting', 'rate_limited'],
    [400, { code: 21_606 }, 'waiting', 'account_refused'],
    [400, { code: 21_611 }, 'waiting', 'rate_limited'],
    [402, {}, 'waiting', 'account_refused'],
    [404, { code: 20_404 }, 'waiting', 'wrong_url'],
    [302, {}, 'waiting', 'redirected'],
    [303, {}, 'unknown', 'unclear'],
  ] as const)('that is answered %i %j is %s: %s', async (status, body, state, reason) => {
    const own = await setupCalls(pool);
    await own.set('sms', twilioTo(own.provider));
    const id = await own.sms(await own.player());
    own.provider.answers.push(answer(status, body));
    await own.round();
    expect(await own.read(id)).toMatchObject({ state, reason, status, attempts: 1 });
  });

  test('waits longer only after consecutive failures of the same kind', async () => {
    const own = await setupCalls(pool);
    await own.set('sms', twilioTo(own.provider));
    const id = await own.sms(await own.player());
    const waits: number[] = [];
    for (const status of [429, 429, 429, 401, 401, 429]) {
      own.provider.answers.push(answer(status, {}));
      await own.round(own.another());
      const { rows } = await pool.query<{ wait: number }>(
        'select extract(epoch from due_at - now())::float8 as wait from called_message where message_id = $1',
        [id],
      );
      waits.push(rows[0]?.wait ?? Number.NaN);
    }
    const within = [1, 5, 15, 30, 60, 1];
    expect(waits.map((wait, n) => wait <= (within[n] ?? 0) && wait > (within[n] ?? 0) - 10)).toEqual(
      Array(6).fill(true),
    );
    expect(await own.read(id)).toMatchObject({ state: 'waiting', reason: 'rate_limited', attempts: 6 });
  });

  test('whose recipient opted out at the provider withdraws the consent', async () => {
    const player = await setup.player();
    await setup.sms(player);
    provider.answers.push(answer(400, { code: 21_610 }));
    await setup.run();
    const next = await setup.sms(player);
    expect(await setup.read(next)).toMatchObject({ state: 'withheld', reason: 'no_consent' });
  });

  test('to a number that does not exist is not tried again, for any player with the number; the list does not contain the number', async () => {
    const id = await setup.sms(await setup.player('99 444 333'));
    provider.answers.push(answer(400, { code: 21_211, message: 'The To number +35699444333 is not valid' }));
    await setup.run();
    expect(await setup.read(id)).toMatchObject({ state: 'failed', reason: 'no_such_number' });
    const before = provider.taken.length;
    const again = await setup.sms(await setup.player('0035699444333'), { purpose: 'service' });
    await setup.run();
    expect(await setup.read(again)).toMatchObject({ state: 'dropped', reason: 'suppressed', attempts: 0 });
    const decided = await pool.query(
      `select outcome, reason from gate_decision where cause_kind = 'message' and cause_id = $1 order by decision_id desc limit 1`,
      [again],
    );
    expect(decided.rows).toEqual([{ outcome: 'withheld', reason: 'suppressed' }]);
    expect(provider.taken.length).toBe(before);
    const { rows } = await pool.query(
      'select reason, detail, address_key from address_suppression where brand_id = $1',
      [setup.brand.brand_id],
    );
    expect(rows.map(({ reason }) => reason)).toEqual(['bounced']);
    expect(JSON.stringify(rows)).not.toContain('99444333');
    const other = await setup.sms(await setup.player('99444334'));
    await setup.run();
    expect(await setup.read(other)).toMatchObject({ state: 'sent' });
  });

  test("stores the provider's answer without the number", async () => {
    const id = await setup.sms(await setup.player('99555444'));
    provider.answers.push(answer(400, 'no SMS to +35699555444 (35699555444)'));
    await setup.run();
    expect((await setup.read(id)).detail).toBe('no SMS to (number) ((number))');
  });

  test('whose worker was lost during the call is unknown; its late answer is still written', async () => {
    const own = await setupCalls(pool);
    await own.set('sms', { ...twilioTo(own.provider), call_timeout_ms: 5_000 });
    const id = await own.sms(await own.player());
    let late: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      own.provider.answers.push((response) => {
        late = () => answer(201, { sid: 'SM1' })(response);
        resolve();
      });
    });
    await own.sender.runOnce();
    await arrived;
    await pool.query(`update called_message set due_at = now() where message_id = $1`, [id]);
    await giveUpLostCalls(pool, 100, own.clock.now());
    expect(await own.read(id)).toMatchObject({ state: 'unknown', reason: 'lost' });
    late?.();
    await own.sender.idle();
    expect(await own.read(id)).toMatchObject({ state: 'sent', provider_id: 'SM1' });
    expect(own.provider.taken).toHaveLength(1);
  });
});

describe('an SMS by any provider over HTTP', () => {
  const http = {
    provider: 'http',
    url: `${provider.origin}/sms`,
    headers: { Authorization: 'Bearer hidden' },
    body: '{"to": {{ to | json }}, "text": {{ text | json }}, "ref": "{{ message_id }}", "from": "{{ from }}"}',
    from: 'Casino',
    answer: {
      id: 'messages.0.id',
      success: { path: 'messages.0.status', values: ['0'] },
      refused: { path: 'messages.0.status', values: ['5'] },
      account: { path: 'messages.0.status', values: ['7'] },
    },
    call_timeout_ms: 500,
  };
  const say = (status: string) => answer(200, { messages: [{ id: 'm1', status }] });

  test.each([
    ['0', 'sent', null, 'm1'],
    ['5', 'failed', 'refused', null],
    ['9', 'unknown', 'unclear', null],
    ['7', 'waiting', 'account_refused', null],
  ] as const)(
    'is rendered from a template, and its answer %s reads as %s',
    async (status, state, reason, provider_id) => {
      const own = await setupCalls(pool);
      await own.set('sms', { ...http, url: `${own.provider.origin}/sms` });
      const id = await own.send('sms', await own.player('99123456'), { text: 'Say "hi"\nnow' });
      own.provider.answers.push(say(status));
      await own.round();
      const [call] = own.provider.taken;
      expect(call?.headers).toMatchObject({ authorization: 'Bearer hidden', 'content-type': 'application/json' });
      expect(JSON.parse(call?.body ?? '')).toEqual({
        to: '+35699123456',
        text: 'Say "hi"\nnow',
        ref: String(id),
        from: 'Casino',
      });
      expect(await own.read(id)).toMatchObject({ state, reason, provider_id });
    },
  );

  test('to a provider that accepts a key is sent again with the same key if the outcome is unknown', async () => {
    const own = await setupCalls(pool);
    const url = `${own.provider.origin}/sms`;
    await own.set('sms', { ...http, url, answer: {}, idempotency_header: 'Idempotency-Key' });
    const id = await own.sms(await own.player());
    own.provider.answers.push(silence, answer(503), say('0'));
    for (let n = 0; n < 3; n++) await own.round();
    expect(own.provider.taken.map(({ headers }) => headers['idempotency-key'])).toEqual([id, id, id].map(String));
    expect(await own.read(id)).toMatchObject({ state: 'sent', attempts: 3 });
  });

  test('has its secrets encrypted in the settings', async () => {
    const { rows } = await pool.query('select settings::text as text, secrets from channel_settings');
    for (const { text, secrets } of rows) {
      expect(text).not.toMatch(/hidden|a token|shared/);
      expect(secrets.toString('latin1')).not.toMatch(/hidden|a token|shared/);
    }
  });
});

describe('a webhook', () => {
  const hook = (body = '') => ({ url: `${provider.origin}/hook`, body });

  test('is signed over id, time and body, and by default contains the player and the reason', async () => {
    const id = await setup.send('webhook', await setup.player(), hook(), { campaign_id: 'spring' });
    await setup.run();
    const [call] = callsOf(id);
    const { 'x-crm-timestamp': timestamp, 'x-crm-signature': signature } = call?.headers ?? {};
    const expected = createHmac('sha256', 'shared').update(`${id}.${timestamp}.${call?.body}`).digest('hex');
    expect(signature).toBe(`v1=${expected}`);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      message_id: String(id),
      brand: brand.code,
      purpose: 'marketing',
      campaign_id: 'spring',
    });
    expect(await setup.read(id)).toMatchObject({ state: 'sent' });
  });

  test('is called again with the same id until it is accepted, after any failure', async () => {
    const id = await setup.send('webhook', await setup.player(), hook('{"a":1}'));
    provider.answers.push(silence, cut, answer(500), answer(429), answer(204));
    for (let n = 0; n < 5; n++) await setup.round(setup.another());
    expect(callsOf(id).map(({ body }) => body)).toEqual(Array(5).fill('{"a":1}'));
    expect(await setup.read(id)).toMatchObject({ state: 'sent', attempts: 5 });
  });

  test.each([
    [404, 'failed', 'refused'],
    [410, 'failed', 'gone'],
    [301, 'failed', 'redirected'],
    [402, 'waiting', 'account_refused'],
  ] as const)('that is answered %i is %s: %s', async (status, state, reason) => {
    const id = await setup.send('webhook', await setup.player(), hook());
    provider.answers.push(answer(status));
    await setup.round(setup.another());
    expect(await setup.read(id)).toMatchObject({ state, reason, attempts: 1 });
    // Other tests run until no message waits.
    await setup.run(setup.another());
  });

  test('whose worker was lost during the call is called again', async () => {
    const id = await setup.send('webhook', await setup.player(), hook());
    await pool.query(
      `update called_message set state = 'sending', repeatable = true, attempts = 1, due_at = now(), claim = 1 where message_id = $1`,
      [id],
    );
    await giveUpLostCalls(pool, 100, setup.clock.now());
    await setup.run();
    expect(await setup.read(id)).toMatchObject({ state: 'sent', attempts: 2 });
  });

  const fourDays = 4 * 24 * 3_600_000_000;
  const recallOf = (message_id: number) =>
    transaction(pool, (tx) =>
      playerChannels.recall(tx, { brand_id: brand.brand_id, message_id, by: 'ann' }, setup.clock.now()),
    );
  test.each<[string, (id: number) => Promise<unknown>]>([
    ['expires before its repetition', () => expireWaitingCalls(pool, 100, [], setup.clock.now() + fourDays)],
    ['is recalled', async (id) => expect(await recallOf(id)).toMatchObject({ state: 'unknown', recalled: false })],
    [
      'may no longer be sent to its player',
      async (id) => {
        await pool.query(
          `update player_profile set is_excluded = true where player_id = (select player_id from called_message where message_id = $1)`,
          [id],
        );
        await setup.run();
      },
    ],
    [
      'belongs to a player who is erased',
      async (id) => {
        const { rows } = await pool.query('select player_id from called_message where message_id = $1', [id]);
        await transaction(pool, (tx) => playerChannels.forget(tx, [rows[0].player_id], setup.clock.now()));
      },
    ],
  ])('whose call may have arrived and that %s is unknown, and is not called again', async (_, end) => {
    for (const [first, reason] of [
      [silence, 'timeout'],
      [answer(500), 'server_error'],
    ] as const) {
      const id = await setup.send('webhook', await setup.player(), hook(), { campaign_id: 'spring' });
      provider.answers.push(first, answer(429));
      // The provider refused the repeated call, but the first call may still have arrived.
      for (let n = 0; n < 2; n++) await setup.round(setup.another());
      await end(id);
      await setup.run();
      expect(await setup.read(id)).toMatchObject({ state: 'unknown', reason, attempts: 2 });
      expect(callsOf(id)).toHaveLength(2);
    }
  });

  test('that was certainly refused and then expires is dropped', async () => {
    const id = await setup.send('webhook', await setup.player(), hook());
    provider.answers.push(answer(429));
    await setup.round(setup.another());
    await expireWaitingCalls(pool, 100, [], setup.clock.now() + fourDays);
    expect(await setup.read(id)).toMatchObject({ state: 'dropped', reason: 'provider_rate', attempts: 1 });
  });

  test("never reaches a private address that the brand did not allow, nor a cloud's metadata address", async () => {
    const other = await startProvider();
    afterAll(() => other.stop());
    const { port } = new URL(other.origin);
    const urls = [
      other.origin,
      `https://127.0.0.1:${port}`,
      `https://localhost:${port}`,
      'https://[::1]/',
      'https://169.254.169.254/latest',
    ];
    const ids = [];
    for (const url of urls) ids.push(await setup.send('webhook', await setup.player(), { url, body: '' }));
    await setup.run();
    for (const id of ids) expect(await setup.read(id)).toMatchObject({ state: 'failed', reason: 'private_address' });
    expect(other.taken).toEqual([]);
    const metadata = await setupCalls(pool, { webhook_allowed: ['http://169.254.169.254'] });
    await metadata.set('webhook', { secret: 'shared' });
    const id = await metadata.send('webhook', await metadata.player(), { url: 'http://169.254.169.254/', body: '' });
    await metadata.run();
    expect(await metadata.read(id)).toMatchObject({ state: 'failed', reason: 'private_address' });
  });

  test('needs no consent if the brand requires none, but respects blocks and exclusions; a required consent counts', async () => {
    const own = await setupCalls(pool);
    await own.set('webhook', { secret: 'shared' });
    const player = await own.player();
    await pool.query('update player_consent set opted_in = false where player_id = $1', [player]);
    const url = `${own.provider.origin}/hook`;
    const free = await own.send('webhook', player, { url, body: '' });
    await own.set('webhook', { secret: 'shared', consent: 'SMS' });
    const bound = await own.send('webhook', player, { url, body: '' });
    await own.set('webhook', { secret: 'shared' });
    await pool.query('update player_profile set is_excluded = true where player_id = $1', [player]);
    const excluded = await own.send('webhook', player, { url, body: '' });
    const rows = await Promise.all([free, bound, excluded].map(own.read));
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ['waiting', null],
      ['withheld', 'no_consent'],
      ['withheld', 'excluded'],
    ]);
    await own.run();
    expect(await own.read(free)).toMatchObject({ state: 'dropped', reason: 'excluded' });
    expect(own.provider.taken).toEqual([]);
  });
});

describe("the operator's own channel", () => {
  const content = { title: 'Spins', text: 'For you', data: '{"code":"TEN"}' };

  test('is a signed call with the message, and stores the id that the operator returns', async () => {
    const id = await setup.send('operator', await setup.player(), content);
    provider.answers.push(answer(200, { id: 'op-1' }));
    await setup.run();
    const [call] = callsOf(id);
    expect(call?.path).toBe('/messages');
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ title: 'Spins', text: 'For you', data: { code: 'TEN' } });
    expect(call?.headers['idempotency-key']).toBe(String(id));
    expect(await setup.read(id)).toMatchObject({ state: 'sent', provider_id: 'op-1' });
  });

  test('is called once even if the id that the operator returns contains characters that cannot be stored', async () => {
    const id = await setup.send('operator', await setup.player(), content);
    provider.answers.push(answer(200, { id: 'op\u0000-2' }));
    await setup.run();
    // A worker that never wrote the outcome counts as lost when its time is over.
    await pool.query(`update called_message set due_at = now() where message_id = $1 and state = 'sending'`, [id]);
    await giveUpLostCalls(pool, 100, setup.clock.now());
    await setup.run();
    expect(callsOf(id)).toHaveLength(1);
    expect(await setup.read(id)).toMatchObject({ state: 'sent', provider_id: 'op-2' });
  });

  test('treats a 200 with a sign of failure as refused, and calls again with the same id if the outcome is unknown', async () => {
    const refused = await setup.send('operator', await setup.player(), content);
    provider.answers.push(answer(200, { success: false, error: 'unknown player' }));
    await setup.run();
    expect(await setup.read(refused)).toMatchObject({ state: 'failed', reason: 'refused' });
    const again = await setup.send('operator', await setup.player(), content);
    provider.answers.push(answer(500), silence);
    for (let n = 0; n < 3; n++) await setup.round(setup.another());
    expect(callsOf(again)).toHaveLength(3);
    expect(await setup.read(again)).toMatchObject({ state: 'sent', attempts: 3 });
  });
});

describe('providers and their slots', () => {
  test('a provider that does not answer takes only its own slots, and none of another provider or brand', async () => {
    const own = await setupCalls(pool);
    const dead = await startProvider(silence);
    afterAll(() => dead.stop());
    await own.set('sms', { ...twilioTo(dead), call_timeout_ms: 60_000, max_connections: 3 });
    await own.set('webhook', { secret: 'shared', max_connections: 3, per_second: 1_000 });
    for (let n = 0; n < 10; n++) await own.sms(await own.player());
    const url = `${own.provider.origin}/hook`;
    const alive: number[] = [];
    for (let n = 0; n < 10; n++) alive.push(await own.send('webhook', await own.player(), { url, body: '' }));
    // Rounds continue while the calls to the dead provider hang.
    const states = async () => (await Promise.all(alive.map(own.read))).map(({ state }) => state);
    while ((await states()).some((state) => state !== 'sent')) await own.sender.runOnce();
    expect(dead.taken.length).toBeLessThanOrEqual(3);
    const { rows } = await pool.query(
      `select state, count(*)::int as n from called_message where brand_id = $1 and channel = 'sms' group by state order by state`,
      [own.brand.brand_id],
    );
    expect(rows).toEqual([
      { state: 'sending', n: 3 },
      { state: 'waiting', n: 7 },
    ]);
    await dead.stop();
    await own.sender.idle();
  });

  test('a host that does not answer does not delay other hosts of the same channel', async () => {
    const own = await setupCalls(pool);
    const dead = await startProvider(silence);
    afterAll(() => dead.stop());
    Object.assign(own.brand.settings, { webhook_allowed: [own.provider.origin, dead.origin] });
    await own.set('webhook', { secret: 'shared', call_timeout_ms: 60_000, max_connections: 2, per_second: 1_000 });
    for (let n = 0; n < 5; n++) await own.send('webhook', await own.player(), { url: dead.origin, body: '' });
    const alive = await own.send('webhook', await own.player(), { url: own.provider.origin, body: '' });
    while ((await own.read(alive)).state !== 'sent') await own.sender.runOnce();
    expect(dead.taken.length).toBeLessThanOrEqual(2);
    await dead.stop();
    await own.sender.idle();
  });

  test('the circuit of a provider opens after 20 consecutive failures, and waiting messages lose no attempts', async () => {
    const own = await setupCalls(pool);
    await own.set('webhook', { secret: 'shared', max_connections: 1, per_second: 1_000 });
    own.provider.usual = answer(500);
    const url = `${own.provider.origin}/hook`;
    for (let n = 0; n < 25; n++) await own.send('webhook', await own.player(), { url, body: '' });
    while ((await own.sender.runOnce()).claimed > 0) await own.sender.idle();
    expect(own.provider.taken).toHaveLength(20);
    const { rows } = await pool.query('select circuit, last_error from channel_health where brand_id = $1', [
      own.brand.brand_id,
    ]);
    expect(rows).toEqual([{ circuit: 'open', last_error: 'answered 500' }]);
    const { rows: waiting } = await pool.query(
      'select count(*)::int as n from called_message where brand_id = $1 and attempts = 0',
      [own.brand.brand_id],
    );
    expect(waiting).toEqual([{ n: 5 }]);
  });

  test.each([
    ['402', answer(402, { message: 'insufficient balance' }), 'waiting', 'account_refused'],
    ['an HTML page', answer(200, '<html>maintenance</html>'), 'unknown', 'unclear'],
  ] as const)(
    'answers that concern every message, such as %s, open the circuit, so that they do not use up the queue',
    async (_, usual, state, reason) => {
      const own = await setupCalls(pool);
      await own.set('sms', { ...twilioTo(own.provider), max_connections: 1 });
      own.provider.usual = usual;
      const ids: number[] = [];
      for (let n = 0; n < 25; n++) ids.push(await own.sms(await own.player()));
      while ((await own.sender.runOnce()).claimed > 0) await own.sender.idle();
      expect(own.provider.taken).toHaveLength(20);
      const messages = await Promise.all(ids.map(own.read));
      expect(messages.filter((one) => one.state === state && one.reason === reason)).toHaveLength(20);
      expect(messages.filter(({ attempts }) => attempts === 0)).toHaveLength(5);
    },
  );

  test('a message that the account cannot send is sent when a person has acted, and fails if it expires before', async () => {
    const own = await setupCalls(pool);
    await own.set('sms', twilioTo(own.provider));
    const id = await own.sms(await own.player());
    own.provider.answers.push(answer(402));
    await own.round();
    await own.round();
    expect(await own.read(id)).toMatchObject({ state: 'sent', attempts: 2 });
    const late = await own.sms(await own.player(), { expires_at: own.clock.now() + 10_000_000 });
    own.provider.answers.push(answer(402));
    await own.round();
    expect(await own.read(late)).toMatchObject({ state: 'failed', reason: 'account_refused' });
  });

  test('a channel that is not set up, or is switched off, sends nothing, and its messages expire', async () => {
    const own = await setupCalls(pool);
    const id = await own.sms(await own.player());
    await own.run();
    expect(await own.read(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    await own.set('sms', { ...twilioTo(own.provider), enabled: false });
    await own.run();
    own.clock.advance(4 * 24 * 3_600_000_000);
    await own.run(own.another());
    expect(await own.read(id)).toMatchObject({ state: 'dropped', reason: 'expired' });
    expect(own.provider.taken).toEqual([]);
  });

  test('a message that expires while it waits for the rate of its provider names the rate as the reason', async () => {
    const own = await setupCalls(pool);
    await own.set('sms', { ...twilioTo(own.provider), per_second: 0.1 });
    const [first = 0, second = 0] = [await own.sms(await own.player()), await own.sms(await own.player())];
    await own.run();
    expect([await own.read(first), await own.read(second)]).toMatchObject([{ state: 'sent' }, { state: 'waiting' }]);
    const of = { brand_id: own.brand.brand_id, channel: 'sms' as const, target: '' };
    const since = own.clock.now();
    own.clock.advance(4 * 24 * 3_600_000_000);
    await expireWaitingCalls(pool, 10, [{ ...of, since }], own.clock.now());
    expect(await own.read(second)).toMatchObject({ state: 'dropped', reason: 'provider_rate' });
  });

  test('the gate decides right before the call', async () => {
    const player = await setup.player();
    const id = await setup.sms(player);
    const before = provider.taken.length;
    const late = setup.another({
      mayContact: (tx, requests) => setup.gate.mayContact(tx, requests),
      async stillAllows(db, request) {
        await pool.query('update player_consent set opted_in = false where player_id = $1', [player]);
        return setup.gate.stillAllows(db, request);
      },
    });
    await setup.run(late);
    expect(provider.taken).toHaveLength(before);
    expect(await setup.read(id)).toMatchObject({ state: 'dropped', reason: 'no_consent' });
  });

  test('each channel drops the waiting messages of an erased player', async () => {
    const player = await setup.player();
    const sms = await setup.sms(player);
    const hook = await setup.send('webhook', player, { url: `${provider.origin}/hook`, body: '' });
    await transaction(pool, (tx) => playerChannels.forget(tx, [player], setup.clock.now()));
    expect(await setup.read(sms)).toMatchObject({ state: 'dropped', reason: 'erased' });
    expect(await setup.read(hook)).toMatchObject({ state: 'dropped', reason: 'erased' });
  });
});

describe('a call that may have arrived and is not repeated is unknown', () => {
  const http = { provider: 'http', from: 'Casino', body: '{"to": "{{ to }}"}', idempotency_header: 'Idempotency-Key' };
  const timeout = { call_timeout_ms: 500 };
  /** The process that made the call has died. */
  const died = 'lost';
  const cases = (['sms', 'operator'] as const).flatMap((channel) =>
    (['timeout', 'server_error', died] as const).flatMap((reason) =>
      (['recalled', 'expired'] as const).map((end) => ({ channel, reason, end })),
    ),
  );
  test.each(cases)('on $channel: $reason, then $end', async ({ channel, reason, end }) => {
    const own = await setupCalls(pool);
    const player = await own.player();
    if (channel === 'sms') await own.set('sms', { ...http, ...timeout, url: `${own.provider.origin}/sms` });
    else await own.set('operator', { ...timeout, url: `${own.provider.origin}/messages`, secret: 'shared' });
    const id =
      channel === 'sms'
        ? await own.sms(player)
        : await own.send(channel, player, { title: '', text: 'Hello', data: '{}' });
    own.provider.answers.push(reason === 'server_error' ? answer(503) : silence);
    await own.round(own.another());
    if (reason === died) {
      await pool.query(
        `update called_message set state = 'sending', reason = null, unclear = null, due_at = now(), claim = 1 where message_id = $1 and repeatable`,
        [id],
      );
      await giveUpLostCalls(pool, 100, own.clock.now());
    }
    expect(await own.read(id)).toMatchObject({ state: 'waiting', reason });
    const at = own.clock.now();
    if (end === 'expired') await expireWaitingCalls(pool, 100, [], at + 4 * 24 * 3_600_000_000);
    else
      await transaction(pool, (tx) =>
        playerChannels.recall(tx, { brand_id: own.brand.brand_id, message_id: id, by: 'ann' }, at),
      );
    await own.run();
    expect(await own.read(id)).toMatchObject({ state: 'unknown', reason });
    expect(own.provider.taken).toHaveLength(1);
  });
});
