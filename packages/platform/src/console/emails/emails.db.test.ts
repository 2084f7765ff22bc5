import { describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText } from '../../database/index.ts';

const setup = await setupConsole({
  email: {
    host: '127.0.0.1',
    port: 2_525,
    security: 'none',
    from_address: 'casino@malta.example',
    password: 'a secret',
  },
  test_players: ['anna'],
});
const { pool, brand, call, get, clock } = setup;
const of = '/brands/malta';

async function player(user_id: string): Promise<number> {
  const id = await insertPlayer(pool, brand.brand_id, user_id);
  await makeKnown(pool, brand.brand_id, [id], timestamptzText(clock.now()));
  await pool.query(`update player_profile set email = $2, first_name = 'Anna', language = 'de' where player_id = $1`, [
    id,
    `${user_id}@players.example`,
  ]);
  return id;
}
await player('anna');
await player('bert');
const content = {
  en: { subject: 'Hello {{ player.first_name }}', html: '<p>{{ event.amount }}</p>' },
  de: { subject: 'Hallo {{ player.first_name }}', html: '<p>{{ event.amount }}</p>' },
};
await call('PUT', `${of}/templates/deposit`, { body: { name: 'Deposit', channel: 'email', content } });

describe('a message by e-mail', () => {
  test("is created with its own text, and shown with the gate's decision", async () => {
    const body = { channel: 'email', subject: 'Ten spins', html: '<p onclick="x">For you</p><script>x</script>' };
    const { status, body: made } = await call('POST', `${of}/players/anna/messages`, { body });
    expect([status, made]).toEqual([
      200,
      { message_id: expect.any(Number), state: 'waiting', reason: null, decision_id: expect.any(Number) },
    ]);
    const shown = (await get(`${of}/emails/${made.message_id}`)).body;
    expect(shown.email).toMatchObject({ user_id: 'anna', subject: 'Ten spins', state: 'waiting', template: null });
    expect(shown.html).toContain('<p>For you</p>');
    expect(shown.html).not.toMatch(/<script|onclick/);
    expect(shown.text).toMatch(/^For you\n\nUnsubscribe: https:\/\/crm\.example\/unsubscribe\/\w+$/);
    expect(shown.decisions.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['allowed']);

    await pool.query(
      `insert into message_event (player_id, what, at, fingerprint, event_id, channel, provider, message_id, campaign_id, reason, link)
       select player_id, 'clicked', $1::timestamptz, '\\x01', 'e', 'email', '', $2::text, '', '', 'https://casino.example/a' from player where user_id = 'anna'`,
      [timestamptzText(clock.now()), String(made.message_id)],
    );
    const reported = (await get(`${of}/emails/${made.message_id}`)).body.reports;
    expect(reported).toMatchObject([{ what: 'clicked', reason: '', link: 'https://casino.example/a' }]);
    const listed = (await get(`${of}/sent-messages?user_id=anna`)).body.items;
    expect(listed).toMatchObject([{ message_id: made.message_id, channel: 'email', about: 'Ten spins' }]);

    const viewer = await setup.as('viewer');
    const masked = (await get(`${of}/emails/${made.message_id}`, viewer)).body;
    expect([masked.email.subject, masked.html, masked.text]).toEqual([null, null, null]);
    expect(masked.reports).toMatchObject([{ what: 'clicked', link: '***' }]);
    expect((await get(`${of}/sent-messages?user_id=anna`, viewer)).body.items).toMatchObject([{ about: null }]);
    const recalled = await call('POST', `${of}/messages/${made.message_id}/recall`);
    expect(recalled.body).toEqual({ message_id: made.message_id, state: 'dropped', recalled: true });
    const { items } = (await get(`${of}/players/anna/timeline?kind=message`)).body;
    const { message_id } = made;
    expect(items).toMatchObject([{ type: 'message', message_id, channel: 'email', state: 'dropped', event: null }]);
  });

  test("is rendered from a template in the player's language, with variables of its cause", async () => {
    const body = { channel: 'email', template: 'deposit', variables: { event: { amount: '5.00' } } };
    const { body: made } = await call('POST', `${of}/players/bert/messages`, { body });
    const shown = (await get(`${of}/emails/${made.message_id}`)).body;
    expect(shown.email).toMatchObject({
      subject: 'Hallo Anna',
      template: { code: 'deposit', version: 1, language: 'de' },
    });
    expect(shown.text).toContain('5.00');
    const english = await call('POST', `${of}/players/bert/messages`, { body: { ...body, language: 'en' } });
    expect((await get(`${of}/emails/${english.body.message_id}`)).body.email.subject).toBe('Hello Anna');
    const items = (await get(`${of}/emails?user_id=bert&state=waiting&limit=1`)).body;
    expect(items.items.map(({ message_id }: { message_id: number }) => message_id)).toEqual([english.body.message_id]);
    const next = (await get(`${of}/emails?user_id=bert&limit=1&cursor=${items.next}`)).body;
    expect(next.items.map(({ message_id }: { message_id: number }) => message_id)).toEqual([made.message_id]);
  });

  test.each([
    [{ channel: 'email', subject: 'x' }, 'mjml and html are both empty'],
    [{ channel: 'email', html: 'x' }, 'subject is empty'],
    [{ channel: 'site', template: 'deposit' }, 'has the channel email, not site'],
    [{ channel: 'site', title: 'x' }, 'requires event'],
    [{ channel: 'email', template: 'deposit', language: 'fr' }, 'has en, de'],
  ])('%j is refused', async (body, why) => {
    const { status, body: problem } = await call('POST', `${of}/players/anna/messages`, { body });
    expect([status, problem.detail]).toEqual([400, expect.stringContaining(why)]);
  });

  test('is created once per Idempotency-Key', async () => {
    const send = (subject: string) =>
      setup.app.inject({
        method: 'POST',
        url: `/api/console/v1${of}/players/anna/messages`,
        headers: { authorization: 'Bearer the-admin-token-of-the-tests', 'idempotency-key': 'one' },
        payload: { channel: 'email', subject, html: 'x' },
      });
    const [first, again, other] = [await send('a'), await send('a'), await send('b')];
    expect(again.json()).toEqual(first.json());
    expect(other.statusCode).toBe(409);
  });
});

test('a test is sent to test players only, marked, through the same path as every message', async () => {
  const path = `${of}/templates/deposit/test-send`;
  expect((await call('POST', path, { body: { user_id: 'bert' } })).status).toBe(403);
  const { status, body } = await call('POST', path, {
    body: { user_id: 'anna', event: { amount: '7' }, language: 'en' },
  });
  expect([status, body.state]).toEqual([200, 'waiting']);
  const shown = (await get(`${of}/emails/${body.message_id}`)).body;
  expect([shown.email.subject, shown.email.template.code]).toEqual(['[Test] Hello Anna', 'deposit']);
});

test('a test of a version is refused when the template has another version', async () => {
  const { version } = (await get(`${of}/templates/deposit`)).body;
  const send = (read: number) =>
    call('POST', `${of}/templates/deposit/test-send`, { body: { user_id: 'anna', version: read } });
  const refused = await send(version + 1);
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(`has version ${version}`)]);
  expect((await send(version)).status).toBe(200);
});

test('a site template can be sent, too', async () => {
  const site = {
    name: 'Hi',
    channel: 'site',
    content: { en: { title: 'Hello {{ player.first_name }}', event: 'shoutout' } },
  };
  const order = { body: { template: 'hi', purpose: 'service' } };
  await call('PUT', `${of}/templates/hi`, { body: site });
  expect(await call('POST', `${of}/players/anna/messages`, order)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('hi is marketing') },
  });
  await call('PUT', `${of}/templates/hi`, { body: { ...site, purpose: 'service' } });
  const { body } = await call('POST', `${of}/players/anna/messages`, order);
  const { message } = (await get(`${of}/messages/${body.message_id}`)).body;
  expect(message).toMatchObject({ title: 'Hello Anna', event: 'shoutout', state: 'live' });
});

test('suppressed addresses: looked up, added and removed, without storing the address', async () => {
  const address = 'Gone@players.example';
  const find = async () => (await call('POST', `${of}/email-suppressions/find`, { body: { address } })).body;
  expect(await find()).toMatchObject({ suppressed: false, reason: null });
  const added = await call('POST', `${of}/email-suppressions`, { body: { address, note: 'Ticket 17' } });
  expect(added.body).toMatchObject({ suppressed: true, reason: 'staff' });
  expect(await find()).toMatchObject({ suppressed: true });
  expect(
    (await call('POST', `${of}/email-suppressions/remove`, { body: { address: address.toLowerCase() } })).body,
  ).toEqual({
    removed: true,
  });
  expect(await find()).toMatchObject({ suppressed: false });
  const viewer = await setup.as('viewer');
  expect((await call('POST', `${of}/email-suppressions/find`, { body: { address }, token: viewer })).status).toBe(403);
  const { rows } = await pool.query(`select * from console_audit where action like 'email.%'`);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows).toLowerCase()).not.toContain('gone');
});

test('the brand shows its server, and no secret', async () => {
  const { body } = await get(of);
  expect(body.email).toEqual({
    host: '127.0.0.1',
    port: 2525,
    security: 'none',
    from_address: 'casino@malta.example',
    from_name: '',
    reply_to: '',
    bounce_address: '',
    has_password: true,
    dkim: null,
    max_connections: 5,
    per_second: 50,
    call_timeout_ms: 60_000,
    username: '',
  });
  expect(JSON.stringify(body)).not.toContain('a secret');
});
