import { describe, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { timestamptzText } from '../../database/index.ts';
import { basePath } from '../routing/endpoint.ts';

const { app, pool, clock, brand, call, get, as, publish, derive, poked } = await setupConsole();

let players = 0;
/** Creates a fully known player. @param consent for the site; null creates a player about whom nothing is known */
async function newPlayer(consent: boolean | null = true): Promise<string> {
  const user_id = `p${++players}`;
  await publish('login', { user_id, timestamp: '2026-05-01T08:00:00Z' });
  await derive();
  if (consent === null) return user_id;
  await pool.query(
    `with p as (select player_id from player where user_id = $1),
          profile as (insert into player_profile (player_id, is_blocked, is_excluded, changed_at) select player_id, false, false, $2 from p),
          synced as (insert into player_sync (player_id, look_up, brand_id, done, lane, as_of)
                     select player_id, look_up, $4, 99, 0, $2 from p cross join unnest(array['details', 'consents', 'blocks']) look_up
                     on conflict (player_id, look_up) do update set done = 99, as_of = $2)
     insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select player_id, lower(type), type, type, $3, 'look_up', $2
       from p cross join unnest(array['SiteNotification', 'PushNotification']) type`,
    [user_id, timestamptzText(clock.now()), consent, brand.brand_id],
  );
  return user_id;
}

const spins = { event: 'inbox', title: 'Ten spins', message: '<p onclick="x()">On us</p>' };
const send = (user: string, body: object, token?: string) =>
  call('POST', `/brands/malta/players/${user}/messages`, token === undefined ? { body } : { body, token });
const post = (path: string, body: object = {}) => call('POST', `/brands/malta/${path}`, { body });
/** Sends the exact bytes, with headers. */
const sendText = (user: string, payload: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `${basePath}/brands/malta/players/${user}/messages`,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', ...headers },
    payload,
  });

test("a message is sent, cleaned, listed and shown with the gate's decision", async () => {
  const user = await newPlayer();
  const sent = await send(user, { ...spins, expires: '2026-06-01 00:00:00', campaign_id: 'spring' });
  expect(sent).toMatchObject({ status: 200, body: { state: 'live', reason: null } });
  const { message_id } = sent.body;
  expect(poked.at(-1)).toMatchObject({ kind: 'arrived', message_id });
  const listed = await get(`/brands/malta/players/${user}/messages?state=live`);
  expect(listed.body.items).toMatchObject([
    { message_id, user_id: user, message: '<p>On us</p>', is_read: false, expires: '2026-06-01T00:00:00.000000Z' },
  ]);
  const { body } = await get(`/brands/malta/messages/${message_id}`);
  expect(body.message).toEqual(listed.body.items[0]);
  expect(body.decisions).toMatchObject([{ outcome: 'allowed', channel: 'site', purpose: 'marketing' }]);
  const timeline = await get(`/brands/malta/players/${user}/timeline?kind=message`);
  expect(timeline.body.items).toMatchObject([{ type: 'message', message_id, state: 'live', campaign_id: 'spring' }]);
  const audit = await pool.query('select actor, details from console_audit where subject = $1', [
    `message ${message_id}`,
  ]);
  expect(audit.rows).toMatchObject([{ actor: 'admin token', details: { state: 'live', channel: 'site' } }]);
});

test('data stays unchanged', async () => {
  const user = await newPlayer();
  const data = '{"b":12345678901234567890,"a":1.50,"nested":{"data":null}}';
  const answer = await sendText(user, `{"title":"a","data": ${data} ,"event":"inbox"}`);
  expect(answer.statusCode).toBe(200);
  const { rows } = await pool.query('select data::text from notification where message_id = $1', [
    answer.json().message_id,
  ]);
  expect(rows).toEqual([{ data }]);
  const shown = await app.inject({
    url: `${basePath}/brands/malta/messages/${answer.json().message_id}`,
    headers: { authorization: `Bearer ${adminToken}` },
  });
  expect(shown.body).toContain(`"data":${data}`);
});

test('the answer and the list show what the gate refuses or holds', async () => {
  const withheld = await send(await newPlayer(false), spins);
  expect(withheld.body).toMatchObject({ state: 'withheld', reason: 'no_consent', decision_id: expect.any(Number) });
  const held = await send(await newPlayer(null), { ...spins, purpose: 'service' });
  expect(held.body).toMatchObject({ state: 'held', reason: 'unknown' });
  const found = await get('/brands/malta/messages?state=held');
  expect(found.body.items).toMatchObject([{ message_id: held.body.message_id, reason: 'unknown', live_at: null }]);
  clock.advance(10 * 60_000_000);
  expect((await get('/brands/malta/overview')).body.alarms).toContainEqual(
    expect.objectContaining({ code: 'messages_held', message: expect.stringContaining('1 site messages are held') }),
  );
  expect((await send('nobody', spins)).status).toBe(404);
});

test('the same key creates one message; another request with it is a conflict', async () => {
  const user = await newPlayer();
  const key = { 'idempotency-key': 'run 1' };
  const first = await sendText(user, JSON.stringify(spins), key);
  expect((await sendText(user, JSON.stringify(spins), key)).json()).toEqual(first.json());
  expect((await sendText(user, JSON.stringify({ ...spins, title: 'b' }), key)).statusCode).toBe(409);
  expect((await get(`/brands/malta/players/${user}/messages`)).body.items).toHaveLength(1);
});

test.each([
  [{ event: 'letter', title: 'a' }, 'event'],
  [{ event: 'inbox', title: 'a', expires: 'soon' }, 'expires'],
  [{ event: 'inbox', title: 'a', expires: '2026-05-01T11:59:59Z' }, 'expires'],
  [{ event: 'inbox', title: 'a', cta_button_link: 'javascript:alert(1)' }, 'cta_button_link'],
  [{ event: 'inbox', title: 'a', cta_button_link: 'https://user:pw@casino.example/' }, 'cta_button_link'],
  [{ event: 'inbox', title: 'a', cta_button_text: 'Spin' }, 'cta_button_link'],
  [{ event: 'inbox', title: 'a \ud83c' }, 'title'],
  [{ event: 'inbox', title: 'a', campaign_id: '\ud83c' }, 'campaign_id'],
  [{ event: 'inbox' }, 'title'],
  [{ event: 'inbox', title: 'a', data: [] }, 'data'],
  [{ event: 'inbox', title: 'a', color: 'red' }, 'color'],
])('%j is refused, with the name of the field', async (body, path) => {
  const answer = await send(await newPlayer(), body);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});

describe('recalls', () => {
  test('one message disappears from its inbox, once', async () => {
    const { message_id } = (await send(await newPlayer(), spins)).body;
    expect((await post(`messages/${message_id}/recall`)).body).toEqual({
      message_id,
      state: 'withdrawn',
      recalled: true,
    });
    expect(poked.at(-1)).toMatchObject({ kind: 'withdrawn', message_id });
    expect((await post(`messages/${message_id}/recall`)).body).toMatchObject({ state: 'withdrawn', recalled: false });
    expect((await get(`/brands/malta/messages/${message_id}`)).body.message).toMatchObject({
      reason: 'recalled',
      ended_by: 'admin token',
    });
    expect((await post('messages/999999/recall')).status).toBe(404);
  });

  test('all messages of a campaign are recalled and counted; other messages stay', async () => {
    const [ann, ben, stranger] = [await newPlayer(), await newPlayer(), await newPlayer(null)];
    const campaign_id = 'summer';
    for (const user of [ann, ben, stranger]) await send(user, { ...spins, campaign_id });
    await send(ann, { ...spins, campaign_id: 'autumn' });
    const recalled = await post('message-recalls', { campaign_id });
    expect(recalled.body).toMatchObject({ campaign_id, state: 'done', withdrawn: 2, dropped: 1 });
    expect((await get('/brands/malta/messages?campaign_id=summer&state=live')).body.items).toEqual([]);
    expect((await get(`/brands/malta/players/${ann}/messages?state=live`)).body.items).toHaveLength(1);
    expect((await get(`/brands/malta/message-recalls/${recalled.body.recall_id}`)).body).toEqual(recalled.body);
    expect((await get('/brands/malta/message-recalls')).body.items[0]).toEqual(recalled.body);
  });
});

test('two pages list every message once, in all states, the newest first', async () => {
  const user = await newPlayer();
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await send(user, { ...spins, campaign_id: 'paged' })).body.message_id);
  await post(`messages/${ids[1]}/recall`);
  const { body: first } = await get('/brands/malta/messages?campaign_id=paged&limit=3');
  const { body: second } = await get(`/brands/malta/messages?campaign_id=paged&limit=3&cursor=${first.next}`);
  const idsOf = ({ items }: { items: { message_id: number }[] }) => items.map(({ message_id }) => message_id);
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
  expect(second.next).toBeNull();
});

test('only some roles may send and recall, and the content is masked for a viewer', async () => {
  const user = await newPlayer();
  const { message_id } = (await send(user, spins, await as('crm'))).body;
  for (const role of ['viewer', 'compliance', 'integrator'] as const) {
    expect((await send(user, spins, await as(role))).status).toBe(403);
  }
  const recall = `/brands/malta/messages/${message_id}/recall`;
  expect((await call('POST', recall, { body: {}, token: await as('viewer') })).status).toBe(403);
  const masked = await get(`/brands/malta/messages/${message_id}`, await as('viewer'));
  expect(masked.body.message).toMatchObject({ message_id, state: 'live', title: null, message: null, data: null });
});
