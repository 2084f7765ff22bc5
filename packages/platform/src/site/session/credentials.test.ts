import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { noon, testClock } from '../../../testing/clock.ts';
import { AuthTokens } from './auth-tokens.ts';
import { readBrandJwt } from './brand-jwt.ts';

const clock = testClock(noon);
const now = noon / 1_000_000;
const setting = { secret: 'a secret of the operator, 32 characters', max_age_minutes: 60 };
const key = Buffer.from(setting.secret);
const claims = { user_id: 'anna', iat: now, exp: now + 600 };

function signed(payload: object, { alg = 'HS256', by = key }: { alg?: string; by?: Uint8Array } = {}) {
  return new SignJWT({ ...payload }).setProtectedHeader({ alg }).sign(by);
}
const read = (jwt: string) => readBrandJwt(jwt, setting, clock.now);

test("the brand's JWT names the player", async () => {
  expect(await read(await signed(claims))).toEqual({ user_id: 'anna', issued_at: now });
  expect(await read(await signed({ ...claims, user_id: 42 }))).toMatchObject({ user_id: '42' });
  // The operator's clock may be slightly ahead.
  expect(await read(await signed({ ...claims, iat: now + 29 }))).toBeDefined();
});

test.each([
  ['without exp', { exp: undefined }],
  ['without iat', { iat: undefined }],
  ['without user_id', { user_id: undefined }],
  ['with an invalid user_id', { user_id: ['anna'] }],
  ['that has expired', { iat: now - 600, exp: now - 31 }],
  ['older than the brand allows', { iat: now - 3_700, exp: now + 600 }],
  ['issued in the future', { iat: now + 3_600, exp: now + 7_200 }],
  ['that is not valid yet', { nbf: now + 600 }],
])('a JWT %s is invalid', async (_, change) => {
  expect(await read(await signed({ ...claims, ...change }))).toBeUndefined();
});

test('a JWT with another algorithm, with another secret, or without a signature is invalid', async () => {
  const long = Buffer.alloc(64, 7);
  expect(await read(await signed(claims, { alg: 'HS512', by: long }))).toBeUndefined();
  expect(await read(await signed(claims, { by: Buffer.alloc(32, 7) }))).toBeUndefined();
  expect(await read(new UnsecuredJWT(claims).encode())).toBeUndefined();
  const [, payload] = (await signed(claims)).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  expect(await read(`${none}.${payload}.`)).toBeUndefined();
  expect(await read('a.b.c')).toBeUndefined();
});

const content = { player_id: 7, sid_hash: 'hash', is_test_user: false, known_ends: { all_ended: 3, one_ended: 5 } };

test('a token of the platform is valid for an hour, at its brand', async () => {
  const held = testClock(noon);
  const tokens = new AuthTokens({ secrets: ['one'], clock: held.now });
  const token = await tokens.make(1, content);
  expect(await tokens.read(1, token)).toEqual(content);
  expect(await tokens.read(2, token)).toBeUndefined();
  held.advance(3_599_000_000);
  expect(await tokens.read(1, token)).toBeDefined();
  held.advance(1_000_000);
  expect(await tokens.read(1, token)).toBeUndefined();
});

test('tokens of earlier secrets are accepted; those of unknown secrets, or changed ones, are not', async () => {
  const token = await new AuthTokens({ secrets: ['old'], clock: clock.now }).make(1, content);
  expect(await new AuthTokens({ secrets: ['new', 'old'], clock: clock.now }).read(1, token)).toEqual(content);
  expect(await new AuthTokens({ secrets: ['new'], clock: clock.now }).read(1, token)).toBeUndefined();
  const [head, , tag] = token.split('.');
  const forged = Buffer.from(JSON.stringify({ sub: '8', aud: '1', sid: 'hash', end: 3, exp: now + 600 }));
  const tokens = new AuthTokens({ secrets: ['old'], clock: clock.now });
  expect(await tokens.read(1, `${head}.${forged.toString('base64url')}.${tag}`)).toBeUndefined();
});
