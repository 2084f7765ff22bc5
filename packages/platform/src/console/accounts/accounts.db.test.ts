import { describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import {
  AccountRefused,
  createFirstUser,
  createUser,
  disableUser,
  enableUser,
  listUsers,
  setPassword,
} from './accounts.ts';
import { limitsOf } from './login-limit.ts';
import { countAttempt } from './login-store.ts';
import { checkPassword, sessionMicros } from './sessions.ts';

const console = await setupConsole();
const { pool, clock } = console;
const everywhere = [{ brand_id: null, role: 'admin' as const }];
const password = 'a long enough password';

async function signIn(email: string, secret: string, address = '192.0.2.1') {
  const answer = await console.app.inject({
    method: 'POST',
    url: '/api/console/v1/session',
    remoteAddress: address,
    payload: { email, password: secret },
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

describe('the first account', () => {
  test('is created once, with a password that is shown once, and has all permissions', async () => {
    const first = await createFirstUser(pool);
    expect(first?.email).toBe('admin@localhost');
    expect(await createFirstUser(pool)).toBeNull();
    const { status, body } = await signIn('admin@localhost', first?.password ?? '');
    expect(status).toBe(201);
    const session = await console.get('/session', body.token);
    expect(session.body).toMatchObject({ actor: 'admin@localhost', grants: [{ brand: null, role: 'admin' }] });
    expect((await console.get('/brands/malta/keys', body.token)).status).toBe(200);
  });
});

describe('signing in', () => {
  test('a page keeps the session in a cookie that scripts cannot read; changes require its header', async () => {
    await createUser(pool, { email: 'cookie@example.com', password, grants: everywhere });
    const inject = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers = {}, payload?: object) =>
      console.app.inject({ method, url: `/api/console/v1${url}`, headers, ...(payload && { payload }) });
    const answer = await inject('POST', '/session', {}, { email: 'cookie@example.com', password, cookie: true });
    expect(answer.json()).toMatchObject({ token: null });
    const set = String(answer.headers['set-cookie']);
    expect(set).toMatch(/; Path=\/api\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    const cookie = set.split(';')[0] ?? '';
    expect((await inject('GET', '/session', { cookie: `theme=dark; ${cookie}` })).json()).toMatchObject({
      actor: 'cookie@example.com',
    });
    const body = { name: 'by cookie' };
    expect((await inject('POST', '/brands/malta/keys', { cookie }, body)).statusCode).toBe(401);
    const ofPage = { cookie, 'x-croupier-console': '1' };
    expect((await inject('POST', '/brands/malta/keys', ofPage, body)).statusCode).toBe(201);
    expect((await inject('DELETE', '/session', { cookie })).statusCode).toBe(401);
    const out = await inject('DELETE', '/session', ofPage);
    expect([out.statusCode, String(out.headers['set-cookie'])]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await inject('GET', '/session', { cookie })).statusCode).toBe(401);
  });

  test('accepts the e-mail in any case, opens a session of 12 hours, and signing out ends it', async () => {
    await createUser(pool, { email: 'Ann@Example.com', password, grants: everywhere });
    const { body } = await signIn(' ann@EXAMPLE.com ', password);
    expect((await console.get('/session', body.token)).status).toBe(200);
    const second = await signIn('ann@example.com', password);
    expect((await console.call('DELETE', '/session', { token: second.body.token })).status).toBe(204);
    expect((await console.get('/session', second.body.token)).status).toBe(401);
    clock.advance(sessionMicros);
    expect((await console.get('/session', body.token)).status).toBe(401);
  });

  test('does not reveal whether an e-mail has an account', async () => {
    await createUser(pool, { email: 'bea@example.com', password, grants: everywhere });
    const wrong = await signIn('bea@example.com', 'another password');
    const unknown = await signIn('nobody@example.com', 'another password');
    const nonsense = await signIn('no address', 'another password');
    expect([wrong.status, unknown.status, nonsense.status]).toEqual([401, 401, 401]);
    expect(unknown.body).toEqual(wrong.body);
    expect(nonsense.body).toEqual(wrong.body);
  });

  test('is delayed by wrong passwords, but never locked: the right one is accepted', async () => {
    await createUser(pool, { email: 'cem@example.com', password, grants: everywhere });
    const stranger = '198.51.100.9';
    const attempt = (secret: string, address: string) => {
      const waits: number[] = [];
      const pause = async (ms: number) => void waits.push(ms);
      const login = checkPassword(pool, clock.now, { email: 'cem@example.com', password: secret, address }, pause);
      return login.then(({ outcome }) => ({ outcome, waits }));
    };
    for (let guess = 0; guess < 10; guess++)
      await countAttempt(pool, limitsOf('cem@example.com', stranger), clock.now());
    expect(await attempt('a guess', stranger)).toEqual({ outcome: 'refused', waits: [1_000] });
    expect(await attempt(password, stranger)).toEqual({ outcome: 'right', waits: [2_000] });
    expect(await attempt(password, '198.51.100.10')).toEqual({ outcome: 'right', waits: [] });
    // After guesses from many networks, a new network waits its turn. A network that signed in before does not wait.
    for (let guess = 0; guess < 120; guess++)
      await countAttempt(pool, limitsOf('cem@example.com', `203.0.113.${guess}`), clock.now());
    expect(await attempt(password, '203.0.113.200')).toEqual({ outcome: 'too_many', waits: [] });
    expect(await attempt(password, '198.51.100.10')).toEqual({ outcome: 'right', waits: [] });
    clock.advance(10_000_000);
    expect(await attempt(password, '203.0.113.201')).toMatchObject({ outcome: 'right' });
  });

  test('leaves nothing in the database that could be used to sign in', async () => {
    await createUser(pool, { email: 'dan@example.com', password, grants: everywhere });
    const { body } = await signIn('dan@example.com', password);
    const { rows } = await pool.query(
      'select row_to_json(s)::text as s from console_session s union all select row_to_json(a)::text from console_account a',
    );
    for (const { s } of rows) {
      expect(s).not.toContain(body.token);
      expect(s).not.toContain(password);
    }
  });
});

describe('sessions', () => {
  const withAgent = (agent: string, remoteAddress: string) =>
    console.app
      .inject({
        method: 'POST',
        url: '/api/console/v1/session',
        remoteAddress,
        headers: { 'user-agent': agent },
        payload: { email: 'uma@example.com', password },
      })
      .then((answer) => String(answer.json().token));
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

  test('are listed with device, coarse network and last use, and end one by one or all but the caller’s own', async () => {
    await createUser(pool, { email: 'uma@example.com', password, grants: everywhere });
    const office = await withAgent(firefox, '192.0.2.77');
    const phone = await withAgent('curl/8.9.1', '2001:db8:12:34::1');
    const script = await withAgent('', '198.51.100.7');
    clock.advance(60_000_000);
    const { items } = (await console.get('/sessions', office)).body;
    const shown = items.map(({ device, network, current }: Record<string, unknown>) => [device, network, current]);
    // The call itself came from 127.0.0.1, and its session was not used for a minute before.
    expect(shown).toEqual([
      ['Firefox on Linux', '127.0.0.0/24', true],
      ['Unknown program', '198.51.100.0/24', false],
      ['curl', '2001:db8:12::/48', false],
    ]);
    expect(items[0].last_used_at > items[0].created_at).toBe(true);
    const ofPhone = `/sessions/${items[2].session_id}`;
    expect((await console.call('DELETE', ofPhone, { token: office })).body).toEqual({ ended: 1 });
    expect((await console.get('/session', phone)).status).toBe(401);
    expect((await console.call('DELETE', ofPhone, { token: office })).status).toBe(404);
    // A call with an empty id does not end all sessions.
    expect((await console.call('DELETE', '/sessions/', { token: office })).status).toBe(404);
    expect((await console.call('DELETE', '/sessions', { token: office })).body).toEqual({ ended: 1 });
    expect((await console.get('/session', script)).status).toBe(401);
    expect((await console.get('/session', office)).status).toBe(200);
  });

  test('of others can be ended only by an administrator, and only below the path of their account; the audit records each end', async () => {
    const stranger = await console.as('crm');
    const office = await withAgent(firefox, '192.0.2.77');
    const { account_id } = (await console.get('/session', office)).body;
    const [session] = (await console.get(`/accounts/${account_id}/sessions`)).body.items;
    expect(session).toMatchObject({ device: 'Firefox on Linux', current: false });
    const answer = await console.call('DELETE', `/sessions/${session.session_id}`, { token: stranger });
    expect(answer.status).toBe(404);
    const ofOther = `/accounts/${account_id + 1}/sessions/${session.session_id}`;
    expect((await console.call('DELETE', ofOther)).status).toBe(404);
    expect((await console.get('/session', office)).status).toBe(200);
    const path = `/accounts/${account_id}/sessions`;
    expect((await console.call('DELETE', `${path}/${session.session_id}`)).body).toEqual({ ended: 1 });
    await withAgent(firefox, '192.0.2.77');
    await withAgent(firefox, '192.0.2.77');
    // One of the sessions is from the previous test.
    expect((await console.call('DELETE', path)).body).toEqual({ ended: 3 });
    expect((await console.get('/session', office)).status).toBe(401);
    const audit = (await console.get('/audit?limit=4')).body.items;
    const opened = { device: 'Firefox on Linux', network: '192.0.2.0/24', by: 'password', second_factor: null };
    expect(
      audit.map(({ actor, action, subject, details }: Record<string, unknown>) => [actor, action, subject, details]),
    ).toEqual([
      ['admin token', 'session.ended', 'uma@example.com', { ended: 3 }],
      ['uma@example.com', 'session.opened', 'uma@example.com', opened],
      ['uma@example.com', 'session.opened', 'uma@example.com', opened],
      ['admin token', 'session.ended', 'uma@example.com', { ended: 1 }],
    ]);
  });
});

describe('an account', () => {
  test('loses its sessions when its password changes and when it is disabled', async () => {
    await createUser(pool, { email: 'eva@example.com', password, grants: everywhere });
    const before = await signIn('eva@example.com', password);
    const { password: fresh } = await setPassword(pool, 'eva@example.com');
    expect((await console.get('/session', before.body.token)).status).toBe(401);
    expect((await signIn('eva@example.com', password)).status).toBe(401);
    const after = await signIn('eva@example.com', fresh);
    await disableUser(pool, 'eva@example.com');
    expect((await console.get('/session', after.body.token)).status).toBe(401);
    expect((await signIn('eva@example.com', fresh)).status).toBe(401);
    await enableUser(pool, 'eva@example.com');
    expect((await signIn('eva@example.com', fresh)).status).toBe(201);
  });

  test.each([
    ['a taken e-mail', { email: 'EVA@example.com', password }],
    ['no e-mail', { email: 'eva', password }],
    ['a short password', { email: 'fay@example.com', password: 'short' }],
  ])('is refused with %s', async (_what, user) => {
    await expect(createUser(pool, { ...user, grants: [] })).rejects.toThrow(AccountRefused);
  });

  test('cannot be disabled by its owner, so the last administrator cannot lock out everyone', async () => {
    const admin = await console.signedIn({ brand_id: null, role: 'admin' });
    const { account_id } = (await console.get('/session', admin)).body;
    const answer = await console.call('POST', `/accounts/${account_id}/disable`, { token: admin });
    expect(answer.status).toBe(403);
    expect((await console.get('/session', admin)).status).toBe(200);
  });

  test('is managed through the API as through the command line, and each change is in the audit', async () => {
    const created = await console.call('POST', '/accounts', {
      body: { email: 'gil@example.com', grants: [{ brand: 'malta', role: 'viewer' }] },
    });
    expect(created.status).toBe(201);
    const account = (await listUsers(pool)).find(({ email }) => email === 'gil@example.com');
    expect(account?.grants).toEqual([{ brand_id: console.brand.brand_id, role: 'viewer' }]);
    const path = `/accounts/${account?.account_id}`;
    const grants = [{ brand: null, role: 'crm' }];
    expect((await console.call('PUT', `${path}/grants`, { body: { grants } })).body.grants).toEqual(grants);
    expect((await console.call('POST', `${path}/disable`)).body.disabled_at).toEqual(expect.any(String));
    expect((await console.call('POST', `${path}/enable`)).body.disabled_at).toBeNull();
    expect((await console.call('POST', `${path}/password`, { body: {} })).body.email).toBe('gil@example.com');
    const unknownBrand = { email: 'hal@example.com', grants: [{ brand: 'nowhere', role: 'crm' }] };
    expect((await console.call('POST', '/accounts', { body: unknownBrand })).status).toBe(400);
    const { body: audit } = await console.get('/audit');
    expect(
      audit.items
        .map((row: { action: string }) => row.action)
        .filter((action: string) => action.startsWith('account.')),
    ).toEqual([
      'account.password_set',
      'account.enabled',
      'account.disabled',
      'account.grants_changed',
      'account.created',
    ]);
    expect(audit.items[0]).toMatchObject({ actor: 'admin token', subject: 'gil@example.com' });
  });

  test('changes its own password with the current one', async () => {
    await createUser(pool, { email: 'ida@example.com', password, grants: [] });
    const { token } = (await signIn('ida@example.com', password)).body;
    const next = 'another long password';
    const guess = { password: 'not mine at all', new_password: next };
    expect((await console.call('PUT', '/session/password', { token, body: guess })).status).toBe(403);
    expect(
      (await console.call('PUT', '/session/password', { token, body: { password, new_password: next } })).status,
    ).toBe(204);
    expect((await signIn('ida@example.com', next)).status).toBe(201);
  });
});
