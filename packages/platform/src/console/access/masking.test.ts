import { expect, test } from 'vitest';
import { maskEventBody, maskProfile, maskSidAnswer, maskText } from './masking.ts';

test('a profile keeps fields that do not identify a person, and shows whether a value exists', () => {
  const profile = {
    user_id: 'u-1',
    first_name: 'Ann',
    last_name: '',
    email: 'ann@example.com',
    mobile: null,
    country: 'MT',
    is_excluded: false,
    segmentation: { vip_level: 3 },
    extra: { passport: 'X1', children: [{ name: 'Bo' }] },
  };
  expect(maskProfile(profile)).toEqual({
    user_id: 'u-1',
    first_name: '***',
    last_name: '',
    email: '***',
    mobile: null,
    country: 'MT',
    is_excluded: false,
    segmentation: { vip_level: 3 },
    extra: { passport: '***', children: [{ name: '***' }] },
  });
});

test.each([
  [
    'login',
    { user_id: 'u-1', timestamp: 'now', ip_address: '192.0.2.1', user_agent: 'Firefox', e_mail: 'ann@example.com' },
    { user_id: 'u-1', timestamp: 'now', ip_address: '***', user_agent: '***', e_mail: '***' },
  ],
  [
    'payment',
    { user_id: 'u-1', amount: 10, note: 'called Ann', meta: { iban: 'MT00', tries: 2 } },
    { user_id: 'u-1', amount: 10, note: '***', meta: { iban: '***', tries: '***' } },
  ],
  [
    'custom',
    { notification_type: 'chat', data: { text: 'I am Ann' } },
    { notification_type: 'chat', data: { text: '***' } },
  ],
  ['login', 'not an object', '***'],
] as const)('a %s event keeps known fields that are not personal', (kind, body, shown) => {
  expect(maskEventBody(kind, body)).toEqual(shown);
});

test.each([
  [
    { user_id: 'u-1', email: 'ann@example.com', name: { last: 'Bell' }, country: 'MT', phone: null },
    { user_id: 'u-1', email: '***', name: { last: '***' }, country: '***', phone: null },
  ],
  [{ user_id: 17 }, { user_id: 17 }],
  [{ user_id: { email: 'ann@example.com' } }, { user_id: { email: '***' } }],
  [[{ user_id: 'u-1' }], [{ user_id: '***' }]],
])('a masked answer to a session id shows only the id of the player: %j', (answer, shown) => {
  expect(maskSidAnswer(answer)).toEqual(shown);
});

test('a note is hidden, a missing note is not', () => {
  expect([maskText('gambles too much'), maskText(''), maskText(null)]).toEqual(['***', '', null]);
});
