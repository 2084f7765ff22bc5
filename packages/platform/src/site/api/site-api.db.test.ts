import { type Call, siteErrors, validator } from '@croupier/contracts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testPush } from '../../../testing/channels/push/setup-push.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { pageOrigin, type SiteAnswer, type SiteSetup, setupSite } from '../../../testing/site/setup-site.ts';
import { openPool } from '../../database/index.ts';
import { sampleSubscription, sampleToken } from '../push/documented-push.ts';
import { documentedSiteCalls } from './document.ts';

const database = await setupDatabase();
const { pool } = database;

const list = '/Notifications/v2/user-notifications';
const one = (id: number | string) => `/Notifications/v2/user-notification/${id}`;
const read = '/Notifications/MarkNotificationAsRead';
const activity = '/Crm/MessageActivity';

/** Two players of one brand, each signed in by a token. */
async function setup() {
  const site = await setupSite(database);
  const anna = await site.token(site.signIn('anna'));
  const ben = await site.token(site.signIn('ben'));
  return { site, anna, ben };
}

/** A live message, as channels/notifications writes it. @returns its MessageId. */
async function message(site: SiteSetup, userId: string, more: { event?: string; expires?: string } = {}) {
  const { rows } = await pool.query<{ message_id: number }>(
    `insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
            footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url, created_at,
            created_by, expires_at, state, state_since, live_at)
     select id_in_bucket(nextval('notification_number'), player_id), $1, player_id, 'site', 'service', $3, 'push', 'Title', '<b>Hello</b>', 'Hello', '',
            '{"level":1.0,"id":12345678901234567890}', '', '', '', '', '', $4, 'test', $5, 'live', $4, $4
       from player where brand_id = $1 and user_id = $2
     returning message_id`,
    [
      site.brand.brand_id,
      userId,
      more.event ?? 'inbox',
      new Date(site.clock.now() / 1_000),
      more.expires ?? 'infinity',
    ],
  );
  return rows[0]?.message_id ?? 0;
}

/** A setup for tests that change nothing. */
const shared = await setup();

const idsOf = ({ body }: SiteAnswer) => body.Data.map(({ MessageId }: { MessageId: number }) => MessageId);
const errorOf = ({ status, body }: SiteAnswer) => [status, body.Errors[0]?.Error];
const done = (Data: unknown) => ({ Data, Success: true, Errors: [] });

describe('the notifications of a player', () => {
  test('are listed newest first, filtered and in pages, in the envelope', async () => {
    const { site, anna, ben } = await setup();
    const ids: number[] = [];
    for (const event of ['message', 'shoutout', 'inbox', 'inbox']) ids.unshift(await message(site, 'anna', { event }));
    await message(site, 'anna', { expires: '2020-01-01' });
    await message(site, 'ben');
    const all = await site.get(list, anna);
    expect([all.status, all.body.Success, all.body.Errors]).toEqual([200, true, []]);
    expect(all.headers['cache-control']).toBe('no-store');
    expect(idsOf(all)).toEqual(ids);
    expect(all.body.Data[0]).toEqual({
      MessageId: ids[0],
      UserId: await site.playerId('anna'),
      Event: 'inbox',
      DisplayType: 'push',
      Title: 'Title',
      Message: '<b>Hello</b>',
      PreviewText: 'Hello',
      FooterText: '',
      Data: expect.any(Object),
      CTAButtonLink: '',
      CTAButtonText: '',
      CTAButton2Link: '',
      CTAButton2Text: '',
      ImageUrl: '',
      IsRead: false,
      Date: '2026-05-01 12:00:00',
      Expires: '9999-12-31 23:59:59',
    });
    expect(idsOf(await site.get(`${list}?inbox-only=true`, anna))).toEqual(ids.slice(0, 2));
    expect(idsOf(await site.get(`${list}?without-inbox=true&limit=1`, anna))).toEqual([ids[2]]);
    expect(idsOf(await site.get(`${list}?without-inbox=true&unread-only=true`, anna))).toEqual(ids.slice(2));
    expect(idsOf(await site.get(`${list}?without-inbox=true&inbox-only=true`, anna))).toEqual([]);
    expect(idsOf(await site.get(`${list}?limit=2`, anna))).toEqual(ids.slice(0, 2));
    expect(idsOf(await site.get(`${list}?limit=2&before=${ids[1]}`, anna))).toEqual(ids.slice(2));
    await site.post(read, anna, { MessageId: ids[0] });
    expect(idsOf(await site.get(`${list}?unread-only=true`, anna))).toEqual(ids.slice(1));
    expect(idsOf(await site.get(`${list}?unread-only=false`, anna))).toEqual(ids);
    expect((await site.get('/Notifications/v2/unread-count?inbox-only=true', anna)).body).toEqual(done(1));
    expect((await site.get('/Notifications/v2/unread-count', ben)).body).toEqual(done(1));
  });

  test('keep every digit of their Data', async () => {
    const { site, anna } = await setup();
    await message(site, 'anna');
    const answer = await site.app.inject({
      url: `/site/${site.brand.code}${list}`,
      headers: { authtoken: anna },
    });
    expect(answer.body).toContain('"Data":{"level":1.0,"id":12345678901234567890}');
  });

  test.each([
    'unread-only=1',
    'unread-only=',
    'unread-only=TRUE',
    'unread-only=true&unread-only=true',
    'inbox-only=no',
    'without-inbox=1',
    'limit=0',
    'limit=101',
    'limit=x',
    'before=0',
    'before=-1',
    'before=1.5',
    'before=99999999999999999999',
  ])('%s is refused', async (query) => {
    const { site, anna } = shared;
    expect(errorOf(await site.get(`${list}?${query}`, anna))).toEqual([400, 'invalid_request']);
  });

  test('are read and deleted; a second call changes nothing, and the other tabs get one signal for each change', async () => {
    const { site, anna } = await setup();
    const id = await message(site, 'anna');
    for (const MessageId of [id, String(id)])
      expect((await site.post(read, anna, { MessageId })).body).toEqual(done(true));
    expect((await site.get(one(id), anna)).body.Data.IsRead).toBe(true);
    for (let again = 0; again < 2; again++)
      expect((await site.call('DELETE', one(id), { as: anna })).body).toEqual(done(null));
    expect(errorOf(await site.get(one(id), anna))).toEqual([404, 'unknown_notification']);
    expect(idsOf(await site.get(list, anna))).toEqual([]);
    expect(site.poked.map(({ kind }) => kind)).toEqual(['read', 'deleted']);
  });

  test('that the player closed stay unread: shown, read, clicked, closed and deleted are stored separately, once each', async () => {
    const { site, anna, ben } = await setup();
    const ids: Record<string, number> = {};
    for (const name of ['closed', 'clicked', 'opened', 'shown', 'deleted', 'later']) {
      ids[name] = await message(site, 'anna', { event: name === 'opened' ? 'inbox' : 'message' });
    }
    const { closed, clicked, opened, shown, deleted, later } = ids as Record<string, number>;
    const item = (MessageId: number | undefined, Activity: string) => ({ MessageId, Activity });
    const tell = async (...Items: object[]) =>
      expect((await site.post(activity, anna, { Items })).body).toEqual(done(true));
    const at = (second: number) => site.clock.now() + second * 1_000_000;
    const expected = {
      closed: { shown_at: at(1), read_at: null, clicked_at: null, closed_at: at(2), deleted_at: null },
      clicked: { shown_at: at(1), read_at: at(2), clicked_at: at(2), closed_at: null, deleted_at: null },
      opened: { shown_at: at(1), read_at: at(3), clicked_at: null, closed_at: null, deleted_at: null },
      shown: { shown_at: at(1), read_at: null, clicked_at: null, closed_at: null, deleted_at: null },
      deleted: { shown_at: at(1), read_at: null, clicked_at: null, closed_at: null, deleted_at: at(3) },
      later: { shown_at: null, read_at: at(5), clicked_at: null, closed_at: at(4), deleted_at: null },
    };

    site.pass(1_000);
    await tell(...[closed, clicked, opened, shown, deleted, closed].map((id) => item(id, 'shown')));
    site.pass(1_000);
    await tell(item(clicked, 'clicked'), item(closed, 'closed'), item(999_999_999, 'closed'));
    site.pass(1_000);
    await site.post(read, anna, { MessageId: opened });
    await site.call('DELETE', one(deleted ?? 0), { as: anna });
    site.pass(1_000);
    // The same is reported again later, and by another player.
    await tell(
      ...[closed, clicked].flatMap((id) => [item(id, 'shown'), item(id, 'clicked')].slice(0, id === closed ? 1 : 2)),
    );
    await tell(item(closed, 'closed'), item(later, 'closed'));
    await site.post(activity, ben, { Items: [item(shown, 'clicked')] });
    site.pass(1_000);
    await site.post(read, anna, { MessageId: later });

    for (const [name, times] of Object.entries(expected)) {
      const { rows } = await pool.query(
        `select shown_at, read_at, clicked_at, closed_at, case when state = 'deleted' then state_since end as deleted_at
           from notification where message_id = $1`,
        [ids[name]],
      );
      expect([name, rows]).toEqual([name, [times]]);
    }
    // A closed message is still unread. It is left out only if a page requests the messages to display automatically.
    expect((await site.get('/Notifications/v2/unread-count', anna)).body.Data).toBe(2);
    expect(idsOf(await site.get(`${list}?unread-only=true`, anna))).toEqual([shown, closed]);
    expect(idsOf(await site.get(`${list}?unread-only=true&without-closed=true`, anna))).toEqual([shown]);
    expect(idsOf(await site.get(list, anna))).toEqual([later, shown, opened, clicked, closed]);
    const told = site.poked.map(({ kind, message_id }) => [kind, message_id]);
    expect(told.sort()).toEqual(
      [
        ['read', clicked],
        ['closed', closed],
        ['read', opened],
        ['deleted', deleted],
        ['closed', later],
        ['read', later],
      ].sort(),
    );
  });

  test.each([
    [{}],
    [{ Items: [] }],
    [{ Items: [{ MessageId: 1, Activity: 'bought' }] }],
    [{ Items: [{ MessageId: 'x', Activity: 'shown' }] }],
    [{ Items: Array.from({ length: 101 }, () => ({ MessageId: 1, Activity: 'shown' })) }],
  ])('activity %# is invalid', async (body) => {
    const { site, anna } = shared;
    expect(errorOf(await site.post(activity, anna, body))).toEqual([400, 'invalid_request']);
  });

  test('that expired on the screen are read and deleted without an error, and nothing is changed or signaled', async () => {
    const { site, anna, ben } = await setup();
    const id = await message(site, 'anna', { expires: '2026-05-01T12:00:10Z' });
    site.pass(10_000);
    const ways = (as: string) => [site.post(read, as, { MessageId: id }), site.call('DELETE', one(id), { as })];
    // Before and after the keeper (channels/notifications/keeper.ts) has marked it as expired.
    for (const state of ['live', 'expired']) {
      await pool.query('update notification set state = $2 where message_id = $1', [id, state]);
      expect((await Promise.all(ways(anna))).map(({ body }) => body)).toEqual([done(true), done(null)]);
      expect((await Promise.all(ways(ben))).map(({ status }) => status)).toEqual([404, 404]);
      expect(errorOf(await site.get(one(id), anna))).toEqual([404, 'unknown_notification']);
    }
    const { rows } = await pool.query('select state, read_at from notification where message_id = $1', [id]);
    expect({ rows, poked: site.poked }).toEqual({ rows: [{ state: 'expired', read_at: null }], poked: [] });
  });

  test('of another player get the same answer as those that never existed', async () => {
    const { site, anna, ben } = await setup();
    const id = await message(site, 'ben');
    const ways = (messageId: number | string) => [
      site.get(one(messageId), anna),
      site.call('DELETE', one(messageId), { as: anna }),
      site.post(read, anna, { MessageId: messageId }),
    ];
    const foreign = await Promise.all(ways(id));
    const unknown = await Promise.all(ways(999_999_999));
    expect(foreign.map(errorOf)).toEqual(foreign.map(() => [404, 'unknown_notification']));
    expect(foreign.map(({ body }) => body)).toEqual(unknown.map(({ body }) => body));
    expect((await site.get(one(id), ben)).body.Data.IsRead).toBe(false);
  });

  test.each(['0', '-1', '1.5', 'abc', '1e3', '9223372036854775808', '%00', '..%2f1', "1'%20or%201=1"])(
    'the id %s is invalid',
    async (id) => {
      const { site, anna } = shared;
      expect(errorOf(await site.get(one(id), anna))).toEqual([404, 'unknown_notification']);
      expect(errorOf(await site.call('DELETE', one(id), { as: anna }))).toEqual([404, 'unknown_notification']);
    },
  );

  test.each([{}, { MessageId: null }, { MessageId: 1.5 }, { MessageId: 'x' }, { MessageId: [1] }, [], 'text', 7])(
    '%j marks nothing as read',
    async (body) => {
      const { site, anna } = shared;
      expect(errorOf(await site.call('POST', read, { as: anna, body: JSON.stringify(body) }))).toEqual([
        400,
        'invalid_request',
      ]);
    },
  );
});

describe('every error is in the envelope', () => {
  test.each<[string, string, { headers?: Record<string, string>; body?: string }, string]>([
    ['GET', '/', {}, 'unknown_path'],
    ['GET', '/notifications/v2/user-notifications', {}, 'unknown_path'],
    ['POST', '/%', {}, 'unknown_path'],
    ['GET', `/${'x'.repeat(600)}`, {}, 'unknown_path'],
    ['POST', list, {}, 'method_not_allowed'],
    ['PUT', one(1), {}, 'method_not_allowed'],
    ['GET', read, {}, 'method_not_allowed'],
    ['POST', read, { body: '{"MessageId":' }, 'malformed_json'],
    ['POST', read, { body: '' }, 'invalid_request'],
    [
      'POST',
      read,
      { body: 'MessageId=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      'unsupported_content_type',
    ],
    ['POST', read, { body: '<a/>', headers: { 'content-type': 'application/xml' } }, 'unsupported_content_type'],
    ['POST', read, { body: `{"MessageId":1,"more":"${'x'.repeat(70_000)}"}` }, 'body_too_large'],
  ])('%s %s %j: %s', async (method, path, { body, headers }, code) => {
    const { site, anna } = shared;
    const answer = await site.call(method as 'GET', path, {
      as: anna,
      ...(body === undefined ? {} : { body }),
      ...(headers && { headers }),
    });
    expect(answer.status).toBe(siteErrors[code as keyof typeof siteErrors].status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(answer.body).toEqual({
      Data: null,
      Success: false,
      Errors: [
        { Message: expect.any(String), Error: code, ErrorCodeID: siteErrors[code as keyof typeof siteErrors].id },
      ],
    });
    if (code === 'method_not_allowed') expect(answer.headers.allow).toContain('OPTIONS');
  });

  test('without a session, the answer reveals nothing, not even whether a body or an id is valid', async () => {
    const { site } = shared;
    for (const answer of [
      await site.get(list),
      await site.get(one('x')),
      await site.call('DELETE', one(1)),
      await site.call('POST', read, { body: '{' }),
      await site.call('POST', '/Platform/LoginAuthToken'),
    ])
      expect(errorOf(answer)).toEqual([401, 'missing_session']);
  });

  test('an unknown brand', async () => {
    const { site } = shared;
    const answer = await site.app.inject({ url: `/site/nobody${list}` });
    expect([answer.statusCode, answer.json().Errors[0].Error]).toEqual([404, 'unknown_brand']);
    const broken = await site.app.inject({ url: '/site/%/x' });
    expect([broken.statusCode, broken.json().Success]).toEqual([404, false]);
  });

  test('the database unavailable: 503 with Retry-After, and no internals', async () => {
    const { site, anna } = shared;
    const away = openPool('postgres://nobody@127.0.0.1:1/none', { name: 'away', connectTimeoutMs: 200 });
    onTestFinished(() => away.end());
    const process = await site.another({ pool: away });
    const answer = await process.get(list, anna);
    expect([errorOf(answer), answer.headers['retry-after']]).toEqual([[503, 'unavailable'], '5']);
    expect(JSON.stringify(answer.body)).not.toContain('127.0.0.1');
  });
});

test.each([
  ['no content type', {}],
  ['the content type that fetch() sets for a text', { 'content-type': 'text/plain;charset=UTF-8' }],
  ['another JSON type', { 'content-type': 'application/vnd.api+json' }],
])('a body with %s is JSON', async (_, headers) => {
  const { site, anna } = await setup();
  const id = await message(site, 'anna');
  const answer = await site.call('POST', read, { as: anna, body: JSON.stringify({ MessageId: id }), headers });
  expect(answer.body).toEqual(done(true));
});

describe('pages of other origins', () => {
  const ask = (site: SiteSetup, origin: string, method: 'GET' | 'OPTIONS' = 'GET', path = list) =>
    site.call(method, path, { headers: { origin, 'access-control-request-method': 'POST' } });

  test('that are listed may call, and also read refusals', async () => {
    const { site } = shared;
    const preflight = await ask(site, pageOrigin, 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': pageOrigin,
      vary: 'Origin',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-max-age': '600',
      'access-control-allow-headers': 'authtoken, sid, content-type',
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    for (const path of [list, '/nowhere']) {
      const answer = await ask(site, pageOrigin, 'GET', path);
      expect(answer.headers['access-control-allow-origin']).toBe(pageOrigin);
      expect(answer.headers['access-control-expose-headers']).toBe('date, retry-after');
    }
  });

  test.each([
    'https://evil.example',
    'https://casino.example.evil.example',
    'http://casino.example',
    'https://casino.example:8443',
    'null',
  ])('%s is not listed', async (origin) => {
    const { site } = shared;
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await ask(site, origin, method);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers.vary).toBe('Origin');
    }
  });

  test('origins in the list are normalized', async () => {
    const site = await setupSite(database, { settings: { site_origins: ['HTTPS://Casino.Example:443/'] } });
    expect((await ask(site, pageOrigin)).headers['access-control-allow-origin']).toBe(pageOrigin);
  });

  test('may read the configuration, whatever their origin', async () => {
    const { site } = shared;
    const answer = await site.app.inject({
      url: `/api/v1/config/${site.brand.code}`,
      headers: { origin: 'https://any.example' },
    });
    const base = `https://crm.example/site/${site.brand.code}`;
    expect(answer.json()).toEqual({
      crmUrl: base,
      fusionUrl: base,
      prismaUrl: base,
      pusherKey: site.brand.code,
      pusherRegion: 'eu',
      wsHost: 'crm.example',
      wsPort: 443,
      forceTLS: true,
    });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const preflight = await site.app.inject({
      method: 'OPTIONS',
      url: `/api/v1/config/${site.brand.code}`,
      headers: { origin: 'https://any.example', 'access-control-request-headers': 'authtoken' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': 'GET',
    });
    const unknown = await site.app.inject({ url: '/api/v1/config/nobody' });
    expect([unknown.statusCode, unknown.json().Errors[0].Error]).toEqual([404, 'unknown_brand']);
  });
});

test('the answer to a sign-in contains the addresses, and a channel prefix if the brand has its own', async () => {
  const settings = { support_contact: 'help@casino.example', channel_prefix: 'private-play' };
  const site = await setupSite(database, { settings });
  const { body } = await site.post('/Platform/LoginAuthToken', site.signIn('anna'));
  const { UserId, BrandId } = body.Data.User;
  expect(body.Data.User).toEqual({
    UserId,
    BrandId,
    IsTestUser: false,
    SupportEmail: 'help@casino.example',
    Channel: `private-play-${BrandId}-${UserId}`,
  });
});

describe('the OpenAPI document of the site', () => {
  const documented = documentedSiteCalls.map((call) => [`${call.method} ${call.path}`, call] as const);

  const addressed = (path: string, id: number) =>
    path.replace('{ID}', String(id)).replace('{code}', shared.site.brand.code);
  const send = (call: Call, as: string | undefined, id: number) =>
    shared.site.call(call.method as 'GET', addressed(call.path, id), {
      ...(as === undefined ? {} : { as }),
      ...(call.request === undefined ? {} : { body: Object.values(call.request.samples)[0] }),
    });

  test.each(documented.filter(([, { server }]) => server === undefined))(
    '%s is served as documented',
    async (_, call) => {
      const id = await message(shared.site, 'anna');
      const { status, body } = await send(call, shared.anna, id);
      const answer = call.answers.find((one) => one.status === status);
      expect(answer, `${status} ${JSON.stringify(body)}`).toBeDefined();
      expect(answer?.schema && validator(answer.schema).errors(body)).toEqual([]);
    },
  );

  test.each(documented.filter(([, { secured }]) => secured !== false))('%s needs a session', async (_, call) => {
    const { status, body } = await send(call, undefined, 1);
    const samples = call.answers.find((one) => one.status === status)?.samples ?? {};
    expect([status, body]).toEqual([401, samples.missing_session]);
  });

  test.each(documented.filter(([, { server }]) => server === undefined))(
    '%s documents each refusal that follows from its definition',
    async (_, { method, path, answers }) => {
      const { app, brand } = shared.site;
      const address = (code: string) => `/site/${code}${addressed(path, 1)}`;
      const headers = { authtoken: shared.site.signIn('anna'), 'content-type': 'application/json' };
      const sent = [{ url: address('nobody'), headers, payload: '{}' }];
      if (method !== 'GET') {
        sent.push({ url: address(brand.code), headers, payload: '{' });
        sent.push({ url: address(brand.code), headers, payload: `{"a":"${'x'.repeat(70_000)}"}` });
        sent.push({ url: address(brand.code), headers: { ...headers, 'content-type': 'text/xml' }, payload: '<a/>' });
      }
      const refused: number[] = [];
      for (const each of sent) {
        const answer = await app.inject({ method: method as 'GET', ...each });
        refused.push(answer.statusCode);
        const samples = answers.find(({ status }) => status === answer.statusCode)?.samples ?? {};
        expect(Object.keys(samples), `${answer.statusCode}`).toContain(answer.json().Errors[0].Error);
      }
      expect(refused).toEqual(method === 'GET' ? [404] : [404, 400, 413, 415]);
    },
  );

  // The test setup fails if an answer is not documented. These are the answers that no other test causes.
  test('covers calls without a session: too many from one network, and the database unavailable', async () => {
    const { site } = shared;
    const { tokens } = testPush({ pool, clock: site.clock.now });
    const { brand_id } = site.brand;
    const calls = [
      ['/Crm/PushClicked', 'unknown_notification', { Token: tokens.write('click', brand_id, 881) }],
      [
        '/Crm/PushRenewed',
        'unknown_device',
        { Token: tokens.write('renewal', brand_id, 881), Subscription: sampleSubscription },
      ],
    ] as const;
    const away = openPool('postgres://nobody@127.0.0.1:1/none', { name: 'away', connectTimeoutMs: 200 });
    onTestFinished(() => away.end());
    const process = await site.another({ pool: away });
    for (const [path, unknown, body] of calls) {
      expect(errorOf(await process.call('POST', path, { body }))).toEqual([503, 'unavailable']);
      const codes = new Set<string>();
      for (let times = 0; times < 502; times++) {
        const answer = await process.call('POST', path, { body: { ...body, Token: sampleToken }, from: '192.0.2.7' });
        codes.add(answer.body.Errors[0].Error);
      }
      expect([...codes]).toEqual([unknown, 'too_many_requests']);
    }
  });

  test('has no path that is not served', async () => {
    const { site } = shared;
    for (const { method, path } of documentedSiteCalls) {
      const answer = await site.call(method as 'GET', addressed(path, 1));
      if (path.startsWith('/api/')) continue;
      expect(answer.body.Errors[0]?.Error, path).not.toMatch(/unknown_path|method_not_allowed/);
    }
  });
});
