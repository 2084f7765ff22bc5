import { afterAll, describe, expect, test } from 'vitest';
import { answer, silence, startProvider } from '../../../testing/channels/calls/start-provider.ts';
import { startSmtp } from '../../../testing/channels/email/setup-smtp.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const setup = await setupConsole();
const { call, clock, pool } = setup;
const smtp = await startSmtp({}, { crm: 'right' });
const provider = await startProvider();
afterAll(async () => {
  await smtp.stop();
  await provider.stop();
});

const path = (channel: string) => `/brands/malta/channels/${channel}/test`;
/** Runs a test of a provider, a minute after the previous test, because only a few tests in a row are allowed. */
const run = (channel: string, body: object = {}, token?: string) => {
  clock.advance(60_000_000);
  return call('POST', path(channel), { body, ...(token !== undefined && { token }) });
};

const server = {
  host: '127.0.0.1',
  port: smtp.port,
  ca: smtp.certificate,
  username: 'crm',
  password: 'right',
  from_address: 'casino@malta.example',
};
const sms = {
  provider: 'http',
  url: `${provider.origin}/sms`,
  headers: { Authorization: 'Bearer a-token' },
  body: '{"to": {{ to | json }}, "text": {{ text | json }}}',
  answer: { success: { path: 'status', values: ['0'] } },
  call_timeout_ms: 500,
};
const number = '+35699123456';

describe('e-mail', () => {
  test('is tested before it is saved: connection, sign-in, and an e-mail to an address', async () => {
    expect((await run('email')).status).toBe(409);
    const connected = await run('email', { settings: server });
    expect([connected.status, connected.body]).toEqual([
      200,
      { ok: true, outcome: 'connected', reason: null, status: null, detail: '', took_ms: expect.any(Number) },
    ]);
    expect(smtp.mails).toHaveLength(0);
    const sent = await run('email', { settings: server, to: 'me@casino.example' });
    expect(sent.body).toMatchObject({ ok: true, outcome: 'sent', status: 250 });
    expect(smtp.mails).toMatchObject([{ from: 'casino@malta.example', to: ['me@casino.example'], secure: true }]);
    expect(smtp.mails[0]?.raw.toString()).toContain('Subject: [Test] E-mail of');
  });

  test('with saved settings is tested with the stored password; a failure states its reason', async () => {
    expect((await call('PUT', '/brands/malta/settings', { body: { email: server } })).status).toBe(200);
    expect((await run('email')).body).toMatchObject({ ok: true, outcome: 'connected' });
    const refused = await run('email', { settings: { password: 'wrong' } });
    expect(refused.body).toMatchObject({ ok: false, outcome: 'retry', reason: 'auth_failed', status: 535 });
    const away = await run('email', { settings: { port: 1 } });
    expect(away.body).toMatchObject({ ok: false, outcome: 'retry', reason: 'unreachable', status: null });
    smtp.behave({ does: 'refuses', at: 'recipient', code: 550, says: '5.1.1 no such user' });
    expect((await run('email', { to: 'nobody@casino.example' })).body).toMatchObject({
      ok: false,
      outcome: 'bounced',
      reason: 'no_such_address',
      status: 550,
    });
    const unfit = await run('email', { settings: { port: 0, dkim: { domain: 'x' } }, to: 'me@casino.example' });
    expect([unfit.status, unfit.body.errors.map((error: { path: string }) => error.path).sort()]).toEqual([
      400,
      ['dkim.private_key', 'dkim.selector', 'port'],
    ]);
    expect((await run('email', { to: 'me' })).status).toBe(400);
  });
});

describe('a provider by calls', () => {
  test('gets one SMS with the stored secrets, and its answer is read in the same way as for a message', async () => {
    expect((await run('sms', { to: number })).status).toBe(409);
    expect((await call('PUT', '/brands/malta/channels', { body: { channel: 'sms', settings: sms } })).status).toBe(200);
    provider.answers = [answer(200, { status: '0' }), answer(200, { status: '9' }), answer(401, 'who?'), silence];
    expect((await run('sms', { to: number })).body).toMatchObject({ ok: true, outcome: 'sent', status: 200 });
    const { headers: _, ...unsaved } = sms;
    const text = { ...unsaved, body: 'to={{ to | url_encode }}' };
    expect((await run('sms', { settings: text, to: number })).body).toMatchObject({
      ok: false,
      outcome: 'unknown',
      reason: 'unclear',
    });
    expect((await run('sms', { to: number })).body).toMatchObject({ reason: 'auth_failed', detail: 'who?' });
    expect((await run('sms', { to: number })).body).toMatchObject({ outcome: 'unknown', reason: 'timeout' });
    expect(provider.taken.map(({ body, headers }) => [body, headers.authorization])).toEqual([
      [expect.stringContaining(number), 'Bearer a-token'],
      ['to=%2B35699123456', 'Bearer a-token'],
      [expect.stringContaining(number), 'Bearer a-token'],
      [expect.stringContaining(number), 'Bearer a-token'],
    ]);
    expect((await run('sms', { to: '123' })).body.errors).toMatchObject([{ path: 'to' }]);
    expect((await run('sms', { settings: { provider: 'pigeon' }, to: number })).status).toBe(400);
  });

  test('a webhook is signed, and goes to public addresses only', async () => {
    provider.taken.length = 0;
    const settings = { secret: 'a secret' };
    expect((await run('webhook', { settings, to: `${provider.origin}/hook` })).body).toMatchObject({
      ok: false,
      reason: 'private_address',
    });
    await call('PUT', '/brands/malta/settings', { body: { settings: { webhook_allowed: [provider.origin] } } });
    expect((await run('webhook', { settings, to: `${provider.origin}/hook` })).body).toMatchObject({ ok: true });
    expect(provider.taken).toMatchObject([
      { path: '/hook', headers: { 'x-crm-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/) } },
    ]);
    expect(JSON.parse(provider.taken[0]?.body ?? '')).toMatchObject({ test: true, brand: 'malta' });
  });

  test("the operator's channel is called at its own address", async () => {
    provider.taken.length = 0;
    const settings = { url: `${provider.origin}/messages`, secret: 'a secret' };
    provider.answers = [answer(200, { error: 'no' })];
    expect((await run('operator', { settings })).body).toMatchObject({ ok: false, reason: 'refused' });
    expect((await run('operator', { settings })).body).toMatchObject({ ok: true, outcome: 'sent' });
    expect(JSON.parse(provider.taken[1]?.body ?? '')).toMatchObject({ user_id: '', data: { test: true } });
  });
});

test('a test of push fails if the brand has no keys, or if they cannot be read', async () => {
  expect((await run('push')).body).toMatchObject({ ok: false, reason: 'no_keys' });
  await call('POST', '/brands/malta/push-keys', { body: {} });
  expect((await run('push')).body).toMatchObject({ ok: true, detail: '0 devices' });
  await pool.query(`update push_key set sealed = '\\x00'`);
  expect((await run('push')).body).toMatchObject({ ok: false, reason: 'keys_unreadable' });
});

test('ten tests of a channel in a row are allowed; other channels have their own limit, and wrong settings count for none', async () => {
  clock.advance(600_000_000);
  const statuses = async (count: number, channel: string, body: object) =>
    (await Promise.all(Array.from({ length: count }, () => call('POST', path(channel), { body })))).map(
      ({ status }) => status,
    );
  expect(new Set(await statuses(15, 'webhook', { to: 'nowhere' }))).toEqual(new Set([400]));
  expect((await statuses(12, 'push', {})).toSorted()).toEqual([...Array(10).fill(200), 429, 429]);
  const refused = await call('POST', path('push'), { body: {} });
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '10' },
    body: { detail: 'Too many tests of this channel in a row. Try again in 10 s.' },
  });
  const webhook = { settings: { secret: 'a-secret-of-the-integrator' }, to: `${provider.origin}/hook` };
  expect(await statuses(1, 'webhook', webhook)).toEqual([200]);
});

test('only administrators can run tests, and the audit does not contain the address', async () => {
  expect((await run('email', {}, await setup.as('crm'))).status).toBe(403);
  const { rows } = await pool.query(`select subject, details from console_audit where action = 'channel.tested'`);
  expect(rows).toContainEqual({
    subject: 'channel email',
    details: { outcome: 'sent', reason: null, saved: false },
  });
  expect(JSON.stringify(rows)).not.toMatch(/me@casino|35699/);
});
