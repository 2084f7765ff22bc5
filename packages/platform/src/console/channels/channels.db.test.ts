import { describe, expect, test } from 'vitest';
import { accountSid } from '../../../testing/channels/calls/setup-calls.ts';
import { publicUrl, setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { type OrderDeps, orderMessage } from '../../channels/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';

const setup = await setupConsole({ test_players: ['anna'], message_tracking: { sms_clicks: true } });
const { pool, brand, call, get, clock } = setup;
const of = '/brands/malta';
const playerId = await insertPlayer(pool, brand.brand_id, 'anna');
await makeKnown(pool, brand.brand_id, [playerId], timestamptzText(clock.now()));
await pool.query(
  `update player_profile set mobile_prefix = '+356', mobile = '99123456', first_name = 'Anna', language = 'en' where player_id = $1`,
  [playerId],
);
const twilio = { provider: 'twilio', account_sid: accountSid, auth_token: 'top secret', from: 'Casino', per_second: 5 };

const http = { provider: 'http', url: 'https://sms.example/send', body: '{{ to }}' };

describe('settings of a channel', () => {
  test('are set, shown without their secrets, changed without resending those, and removed', async () => {
    const { status, body } = await call('PUT', `${of}/channels`, { body: { channel: 'sms', settings: twilio } });
    expect([status, body.state, body.settings.per_second]).toEqual([200, 'ready', 5]);
    expect(JSON.stringify(body)).not.toContain('top secret');
    const { auth_token: _, ...open } = twilio;
    const changed = await call('PUT', `${of}/channels`, {
      body: { channel: 'sms', settings: { ...open, per_second: 7, enabled: false } },
    });
    expect([changed.status, changed.body.state, changed.body.settings.per_second]).toEqual([200, 'off', 7]);
    const { items } = (await get(`${of}/channels`)).body;
    const states = Object.fromEntries(
      items.map(({ channel, state }: { channel: string; state: string }) => [channel, state]),
    );
    expect(states).toEqual({
      site: 'ready',
      push: 'ready',
      email: 'not_set_up',
      sms: 'off',
      webhook: 'not_set_up',
      operator: 'not_set_up',
      telephone: 'ready',
      post_mail: 'ready',
    });
    const gone = await call('PUT', `${of}/channels`, { body: { channel: 'sms', settings: null } });
    expect([gone.body.state, gone.body.settings]).toEqual(['not_set_up', null]);
  });

  test.each([
    [{ channel: 'sms', settings: {} }, 'settings.provider'],
    [{ channel: 'sms', settings: { ...twilio, from: undefined } }, 'settings.from'],
    [{ channel: 'sms', settings: { ...twilio, auth_token: undefined } }, 'settings.auth_token'],
    [{ channel: 'webhook', settings: { secret: 's', color: 'red' } }, 'settings.color'],
    [{ channel: 'operator', settings: { secret: 's', url: 'ftp://x' } }, 'settings.url'],
    [{ channel: 'sms', settings: { ...http, body: '{{ to | nothing }' } }, 'settings.body'],
    [{ channel: 'sms', settings: { ...http, headers: { Host: 'x' } } }, 'settings.headers.Host'],
    [{ channel: 'sms', settings: { ...http, headers: { 'X-Key': 'a\r\nb: c' } } }, 'settings.headers.X-Key'],
  ])('with an error are refused, and the answer names the field: %j', async (body, path) => {
    const answer = await call('PUT', `${of}/channels`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  test('are changed only by allowed roles', async () => {
    const body = { channel: 'sms', settings: twilio };
    expect((await call('PUT', `${of}/channels`, { body, token: await setup.as('crm') })).status).toBe(403);
    expect((await get(`${of}/channels`, await setup.as('viewer'))).status).toBe(200);
  });
});

describe('an SMS', () => {
  test('is ordered from a template with the short unsubscribe link, previewed with its parts, and masked', async () => {
    const content = { en: { text: 'Hi {{ player.first_name }}, ten spins €' } };
    const made = await call('PUT', `${of}/templates/spins`, { body: { name: 'Spins', channel: 'sms', content } });
    expect(made.status).toBe(200);
    const preview = await call('POST', `${of}/templates/spins/preview`, { body: { user_id: 'anna' } });
    expect(preview.body.previews).toMatchObject([{ language: 'en', parts: 1 }]);
    const sent = await call('POST', `${of}/players/anna/messages`, { body: { channel: 'sms', template: 'spins' } });
    expect([sent.status, sent.body.state]).toEqual([200, 'waiting']);
    const { message } = (await get(`${of}/called-messages/${sent.body.message_id}`)).body;
    expect(message.content.text).toMatch(/^Hi Anna, ten spins €\n\w+: https:\/\/crm\.example\/u\/\w+$/);
    expect(message).toMatchObject({ parts: 1, template: { code: 'spins', version: 1, language: 'en' } });
    const masked = (await get(`${of}/called-messages?channel=sms`, await setup.as('viewer'))).body;
    expect(masked.items.map((one: { content: unknown }) => one.content)).toEqual([null]);
    const recalled = await call('POST', `${of}/messages/${sent.body.message_id}/recall`);
    expect(recalled.body).toMatchObject({ state: 'dropped', recalled: true });
  });

  test('can have its own text and can be sent as a test, and its parts can be counted', async () => {
    const own = await call('POST', `${of}/players/anna/messages`, {
      body: { channel: 'sms', text: 'Your code is 12', purpose: 'service' },
    });
    expect((await get(`${of}/called-messages/${own.body.message_id}`)).body.message.content.text).toBe(
      'Your code is 12',
    );
    const tried = await call('POST', `${of}/templates/spins/test-send`, { body: { user_id: 'anna' } });
    expect((await get(`${of}/called-messages/${tried.body.message_id}`)).body.message.content.text).toMatch(
      /^\[Test\] Hi Anna/,
    );
    const counted = await call('POST', `${of}/channels/sms/parts`, { body: { text: 'ж'.repeat(71) } });
    expect(counted.body).toEqual({ encoding: 'ucs2', units: 71, parts: 2 });
  });

  test('with links is counted with short links, in its preview and by the call that counts parts', async () => {
    const text = `Ten spins: https://casino.example/${'a'.repeat(200)}`;
    const template = { code: 'linked', name: 'Linked', channel: 'sms', purpose: 'service', content: { en: { text } } };
    expect((await call('POST', `${of}/templates`, { body: template })).status).toBe(201);
    const expected = { encoding: 'gsm7', units: `Ten spins: ${publicUrl}/t/`.length + 13, parts: 1 };
    for (const body of [{}, { user_id: 'anna' }]) {
      const { previews } = (await call('POST', `${of}/templates/linked/preview`, { body })).body;
      expect(previews).toMatchObject([{ ...expected, content: { text } }]);
    }
    expect((await call('POST', `${of}/channels/sms/parts`, { body: { text } })).body).toEqual(expected);
  });
});

describe('an order', () => {
  const deps: OrderDeps = { gate: setup.gate, clock: clock.now, links: setup.links };
  const order = (channel: 'sms' | 'webhook' | 'operator' | 'telephone' | 'post_mail', content: object) =>
    transaction(pool, (tx) =>
      orderMessage(tx, deps, {
        brand,
        player: { player_id: playerId, user_id: 'anna' },
        channel,
        purpose: 'service',
        says: { content: content as Record<string, string> },
        campaign_id: 'spring',
        request_key: '17 gift',
        created_by: 'campaign spring',
        expires_at: null,
      }),
    );

  test.each([
    ['sms', { text: 'Hi {{ player.first_name }}' }],
    ['webhook', { url: 'https://crm.example/hook', body: { name: '{{ player.first_name }}', quote: '"' } }],
    ['operator', { text: 'Hi {{ player.first_name }}', data: { name: '{{ player.first_name }}' } }],
    ['telephone', { list: 'vip', note: 'Say hi to {{ player.first_name }}' }],
    ['post_mail', { note: 'Dear {{ player.first_name }}' }],
  ] as const)('on %s is made once per key, in the transaction of its cause', async (channel, content) => {
    const first = await order(channel, content);
    expect(first).toMatchObject({ repeated: false, state: 'waiting' });
    expect(await order(channel, content)).toMatchObject({ message_id: first.message_id, repeated: true });
    const { rows } = await pool.query(
      `select content::text as words from called_message where message_id = $1
       union all select note from list_entry where message_id = $1`,
      [first.message_id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].words).toContain('Anna');
  });

  test('with invalid content is refused, and the error states why', async () => {
    await expect(order('sms', { text: '' })).rejects.toThrow('text is empty');
    await expect(order('sms', { words: 'x' })).rejects.toThrow('is not a field of the channel sms');
    await expect(order('webhook', { url: 'ftp://x' })).rejects.toThrow('http or https');
  });
});

test('received reports are counted by day and outcome', async () => {
  await pool.query(
    `insert into report_tally (brand_id, channel, provider, outcome, day, reports, last_at) values ($1, 'email', 'mail', 'ignored', $2, 3, $3)`,
    [brand.brand_id, '2026-05-01', timestamptzText(clock.now())],
  );
  const { status, body } = await get(`${of}/channel-reports`, await setup.as('viewer'));
  expect([status, body.items]).toEqual([
    200,
    [
      {
        channel: 'email',
        provider: 'mail',
        outcome: 'ignored',
        day: '2026-05-01',
        reports: 3,
        last_at: expect.stringMatching(/Z$/),
      },
    ],
  ]);
});
