import { expect, test } from 'vitest';
import { type Claims, personOf } from './claims.ts';

const idToken = { iss: 'https://id.example', sub: '7' };
const settings = { groups_claim: 'groups', trust_emails: false, second_factor_acr: [] };
const email = 'ann@example.com';

test.each<[string, Claims, Claims, string | null]>([
  ['in the ID token', { email, email_verified: true }, {}, email],
  ['from userinfo', {}, { email, email_verified: true }, email],
  ['not confirmed', { email, email_verified: false }, { email, email_verified: true }, null],
  ['confirmed by the other source', { email_verified: true }, { email: 'other@example.com' }, null],
  ['missing', {}, {}, null],
])('an e-mail counts if its own source confirms it: %s', (_case, inToken, userInfo, expected) => {
  expect(personOf({ ...idToken, ...inToken }, userInfo, settings).verifiedEmail).toBe(expected);
});
