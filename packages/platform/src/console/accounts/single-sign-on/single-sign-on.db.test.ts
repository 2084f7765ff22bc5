import { Secret, TOTP } from 'otpauth';
import { afterAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../testing/clock.ts';
import { setupIdentityProvider } from '../../../../testing/console/identity-provider.ts';
import { postFromElsewhere } from '../../../../testing/console/post-from-elsewhere.ts';
import { publicUrl, setupConsole } from '../../../../testing/console/setup-console.ts';
import { roleNames, type SingleSignOnSettings } from '../../../config/index.ts';
import { roles } from '../../access/roles.ts';
import { createUser } from '../accounts.ts';
import { Provider } from './provider.ts';

/* Uses the real provider of the package oidc-provider, which signs with its own keys. It and the console use the real time here. */
const there = await setupIdentityProvider(publicUrl, {});
const settings: SingleSignOnSettings = {
  name: 'Example ID',
  issuer: there.issuer,
  ...there.client,
  scopes: 'openid profile email',
  groups_claim: 'groups',
  roles: {},
  create_accounts: false,
  trust_emails: false,
  second_factor_acr: ['urn:example:mfa'],
  required: false,
};
const provider = new Provider(settings, { publicUrl });
afterAll(() => provider.stop());
const clock = testClock(Date.now() * 1_000);
const console = await setupConsole({}, clock, provider);
const password = 'a long enough password';

/** Changes settings for one test. */
function having(changed: Partial<SingleSignOnSettings>, context: { onTestFinished(done: () => void): void }): void {
  const before = { ...settings };
  Object.assign(settings, changed);
  context.onTestFinished(() => void Object.assign(settings, before));
}

const post = postFromElsewhere(console);

const begin = async () => (await post('/session/single-sign-on', {})).body as { url: string; ticket: string };
async function signIn(name: string) {
  const { url, ticket } = await begin();
  return post('/session/single-sign-on/answer', { ticket, answer: await there.signIn(url, name) });
}
const reasonOf = ({ status, body }: { status: number; body: { errors?: { message: string }[] } }) =>
  `${status} ${body.errors?.[0]?.message}`;

async function account(email: string, role: 'crm' | 'admin' = 'crm') {
  await createUser(console.pool, { email, password, grants: [{ brand_id: null, role }] });
  return email;
}
const session = async (token: string) => (await console.get('/session', token)).body;
const audit = async (count: number) =>
  (await console.get(`/audit?limit=${count}`)).body.items.map(
    ({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`,
  );

test('settings name the roles of the console', () => {
  expect([...roleNames].toSorted()).toEqual([...roles].toSorted());
});

describe('a person of the provider', () => {
  test('is matched by a verified e-mail once, and by the subject from then on', async () => {
    there.people.ann = { email: 'Ann@Example.com', email_verified: true };
    await account('ann@example.com');
    const first = await signIn('ann');
    expect(first).toMatchObject({ status: 201, body: { second_factor: null } });
    expect(await session(first.body.token)).toMatchObject({
      actor: 'ann@example.com',
      second_factor: false,
      sign_out_url: expect.stringMatching(new RegExp(`^${there.issuer}/session/end\\?.*client_id=croupier`)),
    });
    expect(await audit(2)).toEqual(['session.opened ann@example.com', 'account.identity_linked ann@example.com']);
    // A new e-mail at the provider changes nothing, because the account belongs to the person.
    there.people.ann = { email: 'ann.new@example.com', email_verified: false };
    expect((await session((await signIn('ann')).body.token)).actor).toBe('ann@example.com');
    // Another person who now has this e-mail does not get the account.
    there.people.another = { email: 'ann@example.com', email_verified: true };
    expect(reasonOf(await signIn('another'))).toBe('401 other_identity');
    const { items } = (await console.get('/accounts')).body;
    const { account_id, means } = items.find(({ email }: { email: string }) => email === 'ann@example.com');
    expect(means.single_sign_on).toBe(true);
    const path = `/accounts/${account_id}/identity`;
    expect((await console.call('DELETE', path)).status).toBe(204);
    expect((await console.call('DELETE', path)).status).toBe(409);
    expect((await signIn('another')).status).toBe(201);
  });

  test('is refused, with the reason, if there is no verified e-mail, no account, or only a disabled account', async (context) => {
    there.people.ben = { email: 'ben@example.com' };
    await account('ben@example.com');
    expect(reasonOf(await signIn('ben'))).toBe('401 email_not_verified');
    having({ trust_emails: true }, context);
    expect((await signIn('ben')).status).toBe(201);
    there.people.cyd = { email: 'cyd@example.com', email_verified: true };
    expect(reasonOf(await signIn('cyd'))).toBe('401 no_account');
    await console.pool.query(`update console_account set disabled_at = now() where email = 'ben@example.com'`);
    expect(reasonOf(await signIn('ben'))).toBe('401 disabled');
    expect(await audit(1)).toEqual(['session.refused ben@example.com']);
  });

  test('gets the roles of their groups at each sign-in, and an account if that is set', async (context) => {
    there.people.dan = { email: 'dan@example.com', email_verified: true, groups: ['crm-malta', 'staff'] };
    const mapped = {
      'crm-malta': [{ brand: 'malta', role: 'crm' as const }],
      lost: [{ brand: 'nowhere', role: 'admin' as const }],
      heads: [{ brand: null, role: 'admin' as const }],
    };
    having({ roles: mapped }, context);
    expect(reasonOf(await signIn('dan'))).toBe('401 no_account');
    having({ roles: mapped, create_accounts: true }, context);
    const { token } = (await signIn('dan')).body;
    expect((await session(token)).grants).toEqual([{ brand: 'malta', role: 'crm' }]);
    // The account has no password, so every password is refused.
    expect((await post('/session', { email: 'dan@example.com', password: '' })).status).toBe(401);
    expect((await console.get('/session/proof', token)).body.methods).toEqual([]);
    there.people.dan.groups = ['heads'];
    expect((await session((await signIn('dan')).body.token)).grants).toEqual([{ brand: null, role: 'admin' }]);
    expect((await audit(2))[1]).toBe('account.grants_changed dan@example.com');
    for (const groups of [[], ['staff'], ['lost'], ['constructor']]) {
      there.people.dan.groups = groups;
      expect(reasonOf(await signIn('dan'))).toBe('401 no_role');
    }
    expect((await session(token)).grants).toEqual([{ brand: null, role: 'admin' }]);
  });
});

describe('a second factor', () => {
  const enrol = async (token: string) => {
    const { secret } = (await post('/second-factors/totp', {}, token)).body;
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() / 1_000 });
    expect((await post('/second-factors/totp/confirm', { code: code() }, token)).status).toBe(200);
    clock.advance(30_000_000);
    return code;
  };

  test('is required unless the provider states that it asked for one: amr mfa, or an acr of the settings', async () => {
    there.people.eva = { email: 'eva@example.com', email_verified: true, amr: ['pwd'] };
    await account('eva@example.com');
    const code = await enrol((await signIn('eva')).body.token);
    const asked = await signIn('eva');
    expect(asked.body).toMatchObject({ token: null, second_factor: { methods: ['totp', 'recovery_code'] } });
    const { ticket } = asked.body.second_factor;
    const opened = await post('/session/second-factor', { ticket, code: code() });
    expect(await session(opened.body.token)).toMatchObject({ second_factor: true, sign_out_url: expect.any(String) });
    there.people.eva.amr = ['pwd', 'mfa'];
    expect(await session((await signIn('eva')).body.token)).toMatchObject({ second_factor: true });
    there.people.eva.amr = ['pwd'];
    there.people.eva.acr = 'urn:example:other';
    expect((await signIn('eva')).body.token).toBeNull();
    there.people.eva.acr = 'urn:example:mfa';
    expect(await session((await signIn('eva')).body.token)).toMatchObject({ second_factor: true });
  });
});

describe('an answer of the provider', () => {
  test('is accepted once, with the ticket of the sign-in that it belongs to, within 15 minutes', async () => {
    there.people.fay = { email: 'fay@example.com', email_verified: true };
    await account('fay@example.com');
    const [one, two] = [await begin(), await begin()];
    const answer = await there.signIn(one.url, 'fay');
    const swapped = await post('/session/single-sign-on/answer', { ticket: two.ticket, answer });
    expect(reasonOf(swapped)).toBe('401 rejected');
    expect((await post('/session/single-sign-on/answer', { ticket: one.ticket, answer })).status).toBe(201);
    expect(reasonOf(await post('/session/single-sign-on/answer', { ticket: one.ticket, answer }))).toBe('401 expired');
    expect(reasonOf(await post('/session/single-sign-on/answer', { ticket: 'forged', answer }))).toBe('401 expired');
    const late = await begin();
    const answered = await there.signIn(late.url, 'fay');
    const present = clock.now();
    clock.advance(15 * 60_000_000);
    const refused = await post('/session/single-sign-on/answer', { ticket: late.ticket, answer: answered });
    clock.set(present);
    expect(reasonOf(refused)).toBe('401 expired');
  });

  test('that was tampered with is rejected; a person who cancelled gets that as the reason', async () => {
    there.people.gil = { email: 'gil@example.com', email_verified: true };
    const attempt = async (change: (answer: URLSearchParams) => void) => {
      const { url, ticket } = await begin();
      const answer = new URLSearchParams(await there.signIn(url, 'gil'));
      change(answer);
      return reasonOf(await post('/session/single-sign-on/answer', { ticket, answer: answer.toString() }));
    };
    expect(await attempt((answer) => answer.set('state', 'another'))).toBe('401 rejected');
    expect(await attempt((answer) => answer.set('iss', 'https://evil.example'))).toBe('401 rejected');
    expect(await attempt((answer) => answer.set('code', 'another'))).toBe('401 rejected');
    expect(await attempt((answer) => answer.delete('code'))).toBe('401 rejected');
    expect(reasonOf(await signIn(''))).toBe('401 cancelled');
  });

  test('asks for the code flow with PKCE, and nothing in the ticket can be read', async () => {
    const { url, ticket } = await begin();
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${publicUrl}/console/sign-in/answer`,
      scope: 'openid profile email',
    });
    expect(Buffer.from(ticket, 'base64url').toString('latin1')).not.toContain(asked.state);
  });
});

describe('the settings', () => {
  test('may require single sign-on: then no password is accepted, neither to sign in nor as a proof', async (context) => {
    const email = await account('hal@example.com', 'admin');
    const { token } = (await post('/session', { email, password })).body;
    expect((await console.get('/session/options', null)).body).toEqual({
      password: true,
      single_sign_on: { name: 'Example ID' },
    });
    having({ required: true }, context);
    expect((await console.get('/session/options', null)).body.password).toBe(false);
    expect((await post('/session', { email, password })).status).toBe(403);
    expect((await post('/session/proof', { password }, token)).status).toBe(403);
    expect((await console.get('/session/proof', token)).body.methods).toEqual([]);
  });

  test.each([
    ['a provider that does not answer', 'http://localhost:1'],
    ['an issuer that calls itself by another name', () => there.issuer.replace('localhost', '127.0.0.1')],
    ['a cloud metadata address', 'https://169.254.169.254'],
  ])('with %s refuse the sign-in', async (_what, issuer) => {
    const other = new Provider({ ...settings, issuer: typeof issuer === 'string' ? issuer : issuer() }, { publicUrl });
    await expect(other.begin()).rejects.toMatchObject({ reason: 'unreachable' });
    expect(await other.signOutUrl()).toBeNull();
    await other.stop();
  });
});
