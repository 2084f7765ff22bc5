import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { Authenticator } from '../../../../testing/console/authenticator.ts';
import { postFromElsewhere } from '../../../../testing/console/post-from-elsewhere.ts';
import { setupConsole } from '../../../../testing/console/setup-console.ts';
import type { Grant } from '../../access/roles.ts';
import { resetSecondFactors, setPassword } from '../accounts.ts';
import { hashPassword } from '../passwords.ts';
import { ticketMicros } from './ticket.ts';

const console = await setupConsole();
const { pool, clock, call } = console;
const origin = console.publicUrl;
const everywhere: Grant[] = [{ brand_id: null, role: 'admin' }];
const password = 'a long enough password';
const second = 1_000_000;

const post = postFromElsewhere(console);
const codeOf = (secret: string, shiftSeconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() / 1_000 + shiftSeconds * 1_000 });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const hash = await hashPassword(password);

/** A new account with a session. Its password was hashed in advance, because hashing takes 0.3 s. */
async function person(grants: Grant[] = everywhere) {
  const token = await console.signedIn(...grants);
  const email: string = (await console.get('/session', token)).body.actor;
  await pool.query('update console_account set password = $2 where email = $1', [email, hash]);
  const begin = async () => (await post('/session', { email, password })).body;
  return { email, token, begin };
}

/** The account with an authenticator app, half a minute after its first code. */
async function withApp(grants?: Grant[]) {
  const one = await person(grants);
  const { secret } = (await post('/second-factors/totp', {}, one.token)).body;
  const confirmed = await post('/second-factors/totp/confirm', { code: codeOf(secret) }, one.token);
  clock.advance(30 * second);
  const ticket = async () => (await one.begin()).second_factor.ticket as string;
  let held: { ticket: string; until: number } | undefined;
  /** Gives a second factor. Reuses the ticket of the last attempt while it is valid. */
  const give = async (given: object) => {
    if (held === undefined || held.until <= clock.now()) {
      held = { ticket: await ticket(), until: clock.now() + ticketMicros };
    }
    const answer = await post('/session/second-factor', { ticket: held.ticket, ...given });
    if (answer.status === 201) held = undefined;
    return answer;
  };
  return { ...one, secret: String(secret), recovery: confirmed.body.recovery_codes as string[], ticket, give };
}

async function addPasskey(token: string, key = new Authenticator(origin), name = 'Security key') {
  const begun = await post('/second-factors/passkeys/options', {}, token);
  const { ticket, options } = begun.body;
  return {
    key,
    answer: await post('/second-factors/passkeys', { ticket, name, response: key.create(options) }, token),
  };
}

async function signInWithPasskey(ticket: string, key: Authenticator) {
  const begun = await post('/session/second-factor/passkey', { ticket });
  return post('/session/second-factor', { ticket: begun.body.ticket, passkey: key.get(begun.body.options) });
}

const auditOf = async (email: string) =>
  (await console.get('/audit?limit=50')).body.items
    .filter(({ subject }: { subject: string }) => subject === email)
    .map(({ action, details }: { action: string; details: { factor?: string } }) =>
      details.factor === undefined ? action : `${action} ${details.factor}`,
    );

describe('an authenticator app', () => {
  test('is active after its first right code; recovery codes are created, and other sessions end', async () => {
    const { email, token, begin } = await person();
    const other = (await begin()).token;
    const { secret, uri } = (await post('/second-factors/totp', {}, token)).body;
    expect(uri).toBe(
      `otpauth://totp/Croupier:${encodeURIComponent(email)}?issuer=Croupier&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const refused = await post('/second-factors/totp/confirm', { code: wrong(codeOf(secret)) }, token);
    expect(refused.status).toBe(409);
    expect((await begin()).second_factor).toBeNull();
    const added = await post('/second-factors/totp/confirm', { code: codeOf(secret) }, token);
    expect(added.status).toBe(200);
    expect(new Set(added.body.recovery_codes).size).toBe(10);
    expect(added.body.recovery_codes[0]).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    expect((await console.get('/session', other)).status).toBe(401);
    expect((await console.get('/session', token)).body.second_factor).toBe(true);
    const shown = (await console.get('/second-factors', token)).body;
    expect(shown).toMatchObject({ passkeys: [], recovery_codes: 10, required: false, session_has_one: true });
    expect((await post('/second-factors/totp', {}, token)).status).toBe(409);
    expect(await auditOf(email)).toContain('account.second_factor_added totp');
  });

  test('is required after the password; wrong and used codes are refused', async () => {
    const { email, secret, begin, ticket, give } = await withApp();
    expect(await begin()).toMatchObject({ token: null, second_factor: { methods: ['totp', 'recovery_code'] } });
    expect((await give({ code: wrong(codeOf(secret)) })).status).toBe(401);
    const [first, next] = [await ticket(), await ticket()];
    const code = codeOf(secret);
    const signedIn = await post('/session/second-factor', { ticket: first, code });
    expect(signedIn.status).toBe(201);
    expect((await console.get('/session', signedIn.body.token)).body).toMatchObject({
      actor: email,
      second_factor: true,
    });
    expect((await post('/session/second-factor', { ticket: next, code })).status).toBe(401);
    expect((await auditOf(email)).slice(0, 3)).toEqual([
      'account.second_factor_refused totp',
      'session.opened',
      'account.second_factor_refused totp',
    ]);
  });

  test('may be half a minute early or late, not a minute', async () => {
    const { secret, give } = await withApp();
    clock.advance(60 * second);
    expect((await give({ code: codeOf(secret, -60) })).status).toBe(401);
    expect((await give({ code: codeOf(secret, 60) })).status).toBe(401);
    expect((await give({ code: codeOf(secret, -30) })).status).toBe(201);
    // Later codes stay valid. Accepting this code made the earlier ones invalid.
    expect((await give({ code: codeOf(secret, 30) })).status).toBe(201);
    expect((await give({ code: codeOf(secret) })).status).toBe(401);
  });

  test('cannot be guessed: 10 wrong codes an hour, then only other factors', async () => {
    const { secret, recovery, give } = await withApp();
    for (let guess = 0; guess < 10; guess++) expect((await give({ code: wrong(codeOf(secret)) })).status).toBe(401);
    const limited = await give({ code: codeOf(secret) });
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '3600']);
    expect((await give({ recovery_code: recovery[0] })).status).toBe(201);
    clock.advance(3_600 * second);
    expect((await give({ code: codeOf(secret) })).status).toBe(201);
  });

  test('leaves no secret in the database that could be read', async () => {
    const { secret, recovery } = await withApp();
    const { rows } = await pool.query(
      `select row_to_json(t)::text as stored, secret from console_totp t union all
       select row_to_json(c)::text, null from console_recovery_code c`,
    );
    for (const { stored, secret: bytes } of rows) {
      expect(stored).not.toContain(secret);
      expect(String(bytes)).not.toContain(secret);
      expect(stored).not.toContain(recovery[0]);
    }
  });
});

describe('recovery codes', () => {
  test('work once each, however they are typed; new ones replace them', async () => {
    const { email, token, recovery, give } = await withApp();
    const [first = '', another] = recovery;
    expect((await give({ recovery_code: first.toLowerCase().replaceAll('-', ' ') })).status).toBe(201);
    expect((await give({ recovery_code: first })).status).toBe(401);
    expect((await console.get('/second-factors', token)).body.recovery_codes).toBe(9);
    const renewed = await post('/second-factors/recovery-codes', {}, token);
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect((await give({ recovery_code: another })).status).toBe(401);
    expect((await give({ recovery_code: renewed.body.recovery_codes[0] })).status).toBe(201);
    expect(await auditOf(email)).toContain('account.recovery_codes_made');
  });

  test('exist only while the account has a second factor', async () => {
    const { token } = await withApp();
    expect((await call('DELETE', '/second-factors/totp', { token })).status).toBe(204);
    expect((await console.get('/second-factors', token)).body).toMatchObject({ totp: null, recovery_codes: 0 });
    expect((await post('/second-factors/recovery-codes', {}, token)).status).toBe(409);
  });
});

describe('a ticket between the two steps', () => {
  test('opens one session, within 5 minutes', async () => {
    const { secret, recovery, ticket } = await withApp();
    const once = await ticket();
    expect((await post('/session/second-factor', { ticket: once, code: codeOf(secret) })).status).toBe(201);
    expect((await post('/session/second-factor', { ticket: once, recovery_code: recovery[0] })).status).toBe(401);
    const late = await ticket();
    clock.advance(300 * second);
    expect((await post('/session/second-factor', { ticket: late, recovery_code: recovery[1] })).status).toBe(401);
  });

  test('becomes invalid with a new password, and allows no other call', async () => {
    const { email, token, secret, ticket } = await withApp();
    const begun = await ticket();
    const key = new Authenticator(origin);
    const { options, ticket: ofPasskey } = (await post('/second-factors/passkeys/options', {}, token)).body;
    const misused = { ticket: begun, name: 'x', response: key.create(options) };
    expect((await post('/second-factors/passkeys', misused, token)).status).toBe(409);
    expect((await post('/session/second-factor', { ticket: ofPasskey, code: codeOf(secret) })).status).toBe(401);
    await setPassword(pool, email, 'another long password');
    expect((await post('/session/second-factor', { ticket: begun, code: codeOf(secret) })).status).toBe(401);
    for (const forged of ['', 'AAAA', begun.slice(0, -4)])
      expect((await post('/session/second-factor', { ticket: forged, code: '123456' })).status).toBe(401);
  });

  test('takes exactly one factor', async () => {
    const { secret, recovery, give } = await withApp();
    expect((await give({})).status).toBe(400);
    expect((await give({ code: codeOf(secret), recovery_code: recovery[0] })).status).toBe(400);
    expect((await give({ passkey: {} })).status).toBe(400);
  });
});

describe('a passkey', () => {
  test('is offered only algorithms whose signatures fit into a call without a session', async () => {
    const { token } = await withApp();
    const { options } = (await post('/second-factors/passkeys/options', {}, token)).body;
    expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257]);
  });

  test('is added with a name, signs in, is listed with its last use, and is renamed and removed', async () => {
    const { email, token, begin } = await person();
    const { key, answer } = await addPasskey(token);
    expect(answer.status).toBe(201);
    expect(answer.body.recovery_codes).toHaveLength(10);
    const asked = (await begin()).second_factor;
    expect(asked.methods).toEqual(['passkey', 'recovery_code']);
    expect((await signInWithPasskey(asked.ticket, key)).status).toBe(201);
    const [listed] = (await console.get('/second-factors', token)).body.passkeys;
    expect(listed).toMatchObject({ name: 'Security key', last_used_at: expect.any(String) });
    expect((await addPasskey(token, key)).answer.status).toBe(409);
    const path = `/second-factors/passkeys/${listed.passkey_id}`;
    const stranger = await person();
    const rename = (name: string, by: string) => call('PUT', path, { token: by, body: { name } });
    expect((await rename('Mine', stranger.token)).status).toBe(404);
    expect((await rename('  ', token)).status).toBe(400);
    expect((await rename(' Key at home ', token)).status).toBe(204);
    expect((await console.get('/second-factors', token)).body.passkeys).toMatchObject([{ name: 'Key at home' }]);
    expect((await call('DELETE', path, { token: stranger.token })).status).toBe(404);
    expect((await call('DELETE', path, { token })).status).toBe(204);
    expect((await begin()).second_factor).toBeNull();
    expect((await auditOf(email)).filter((action: string) => action.includes('passkey'))).toEqual([
      'account.second_factor_removed passkey',
      'account.passkey_renamed',
      'account.second_factor_added passkey',
    ]);
  });

  test('whose count does not rise is a copy, and is refused', async () => {
    const { token, begin } = await person();
    const { key } = await addPasskey(token);
    const attempt = async () => (await signInWithPasskey((await begin()).second_factor.ticket, key)).status;
    expect(await attempt()).toBe(201);
    key.count = 0;
    expect(await attempt()).toBe(401);
    key.count = 5;
    expect(await attempt()).toBe(201);
  });

  test('signs the challenge, the site and the account of this sign-in only', async () => {
    const ann = await person();
    const ben = await person();
    const { key } = await addPasskey(ann.token);
    await addPasskey(ben.token);
    const ofBen = (await ben.begin()).second_factor.ticket;
    expect((await signInWithPasskey(ofBen, key)).status).toBe(401);
    const ticket = (await ann.begin()).second_factor.ticket;
    const earlier = (await post('/session/second-factor/passkey', { ticket })).body;
    const later = (await post('/session/second-factor/passkey', { ticket })).body;
    const replayed = { ticket: later.ticket, passkey: key.get(earlier.options) };
    expect((await post('/session/second-factor', replayed)).status).toBe(401);
    const elsewhere = await person();
    const { answer } = await addPasskey(elsewhere.token, new Authenticator('https://crm.example.evil'));
    expect(answer.status).toBe(409);
  });
});

describe('a change of how somebody signs in', () => {
  const later = (minutes: number) => clock.advance(minutes * 60 * second);

  test('requires a proof from the last 15 minutes: the password, a code or a passkey', async () => {
    const { token, secret } = await withApp();
    later(15);
    const begin = () => post('/second-factors/passkeys/options', {}, token);
    expect(await begin()).toMatchObject({ status: 403, body: { code: 'sign_in_again' } });
    expect((await console.get('/session/proof', token)).body).toEqual({
      fresh_until: null,
      methods: ['password', 'totp', 'recovery_code'],
    });
    expect((await post('/session/proof', { password: 'a wrong password' }, token)).status).toBe(403);
    expect((await begin()).status).toBe(403);
    expect((await post('/session/proof', { password }, token)).body.fresh_until).toEqual(expect.any(String));
    const { key } = await addPasskey(token);
    later(16);
    expect((await post('/session/proof', { code: wrong(codeOf(secret)) }, token)).status).toBe(403);
    expect((await begin()).status).toBe(403);
    const code = codeOf(secret);
    expect((await post('/session/proof', { code }, token)).status).toBe(200);
    expect((await post('/session/proof', { code }, token)).status).toBe(403);
    expect((await begin()).status).toBe(200);
    later(16);
    const { ticket, options } = (await post('/session/proof/passkey', {}, token)).body;
    const passkey = key.get(options);
    expect((await post('/session/proof', { ticket, passkey }, token)).status).toBe(200);
    expect((await post('/session/proof', { ticket, passkey }, token)).status).toBe(403);
    expect((await begin()).status).toBe(200);
  });

  test('is limited as a sign-in is: guesses of the code count together', async () => {
    const { token, secret, give } = await withApp();
    for (let guess = 0; guess < 5; guess++) await give({ code: wrong(codeOf(secret)) });
    for (let guess = 0; guess < 5; guess++) await post('/session/proof', { code: wrong(codeOf(secret)) }, token);
    expect((await post('/session/proof', { code: codeOf(secret) }, token)).status).toBe(429);
    expect((await give({ code: codeOf(secret) })).status).toBe(429);
  });

  test('requires exactly one proof, and refuses the admin token', async () => {
    const { token, secret } = await withApp();
    expect((await post('/session/proof', {}, token)).status).toBe(400);
    expect((await post('/session/proof', { password, code: codeOf(secret) }, token)).status).toBe(400);
    expect((await call('POST', '/session/proof', { body: { password } })).status).toBe(403);
    expect((await call('POST', '/second-factors/totp')).status).toBe(403);
    expect((await console.get('/session/proof')).body).toEqual({ fresh_until: null, methods: [] });
  });
});

describe('a rule that requires a second factor', () => {
  const ruled = (body: object, token?: string) =>
    call('PUT', '/second-factor-rule', { body, ...(token !== undefined && { token }) });

  test('applies immediately at its brands and to the management of accounts; a session without one can only add one', async () => {
    const admin = await person();
    const atMalta = { every_brand: false, brands: ['malta'] };
    expect((await ruled(atMalta, admin.token)).status).toBe(409);
    const crm = await person([{ brand_id: console.brand.brand_id, role: 'crm' }]);
    expect((await console.get('/brands/malta/players', crm.token)).status).toBe(200);
    const secured = await withApp();
    expect((await ruled(atMalta, secured.token)).body).toEqual(atMalta);
    expect(await console.get('/brands/malta/players', crm.token)).toMatchObject({
      status: 403,
      body: { code: 'second_factor_required' },
    });
    expect((await console.get('/accounts', admin.token)).body.code).toBe('second_factor_required');
    expect((await console.get('/brands/malta/players', secured.token)).status).toBe(200);
    expect((await console.get('/second-factors', crm.token)).body).toMatchObject({ required: true });
    await addPasskey(crm.token);
    expect((await console.get('/brands/malta/players', crm.token)).status).toBe(200);
    // The last factor cannot be removed while one is required.
    const [{ passkey_id }] = (await console.get('/second-factors', crm.token)).body.passkeys;
    expect((await call('DELETE', `/second-factors/passkeys/${passkey_id}`, { token: crm.token })).status).toBe(409);
    expect((await console.get('/second-factors', crm.token)).body.passkeys).toHaveLength(1);
    expect((await ruled({ every_brand: false, brands: [] })).status).toBe(200);
    expect((await call('DELETE', `/second-factors/passkeys/${passkey_id}`, { token: crm.token })).status).toBe(204);
    expect((await ruled({ every_brand: false, brands: ['nowhere'] })).status).toBe(400);
  });

  test('can be changed, and factors can be removed, only after a new proof of identity', async () => {
    const admin = await withApp();
    clock.advance(16 * 60 * second);
    expect(await ruled({ every_brand: true, brands: [] }, admin.token)).toMatchObject({
      body: { code: 'sign_in_again' },
    });
    const lost = await withApp();
    const { account_id } = (await console.get('/session', lost.token)).body;
    const path = `/accounts/${account_id}/second-factors`;
    expect((await call('DELETE', path, { token: admin.token })).body.code).toBe('sign_in_again');
    await post('/session/proof', { password }, admin.token);
    expect((await call('DELETE', path, { token: admin.token })).status).toBe(204);
    expect((await console.get('/session', lost.token)).status).toBe(401);
    expect((await lost.begin()).second_factor).toBeNull();
  });
});

test('accounts are listed with what they sign in with, and the command line resets a lost device', async () => {
  const { email, token, begin } = await withApp();
  await addPasskey(token);
  const means = async () =>
    (await console.get('/accounts')).body.items.find((one: { email: string }) => one.email === email).means;
  expect(await means()).toEqual({ totp: true, passkeys: 1, single_sign_on: false });
  await resetSecondFactors(pool, clock.now, ` ${email.toUpperCase()} `);
  expect(await means()).toEqual({ totp: false, passkeys: 0, single_sign_on: false });
  expect((await console.get('/session', token)).status).toBe(401);
  expect((await begin()).token).toEqual(expect.any(String));
  const [, entry] = (await console.get('/audit?limit=2')).body.items;
  expect(entry).toMatchObject({ actor: 'command line', action: 'account.second_factors_reset', subject: email });
  await expect(resetSecondFactors(pool, clock.now, 'nobody@example.com')).rejects.toThrow('does not exist');
});
