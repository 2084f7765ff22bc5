import type { PushPayload } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { payloadOf } from './payload.ts';
import { PushTokens } from './tokens.ts';
import { contactOf } from './vapid.ts';

const brand = { name: 'Demo', logo_url: 'https://img.example/logo.png', base: 'https://crm.example/site/demo' };
const content = {
  message_id: 7,
  title: 'A title',
  preview_text: 'A text',
  cta_button_link: 'https://casino.example/play',
  image_url: 'https://img.example/a.png',
};
const made = (more: object = {}, of = brand): PushPayload =>
  JSON.parse(payloadOf({ ...content, ...more }, of, 'token'));

test('a device gets what it shows, where a click leads, and how to report it', () => {
  expect(made()).toEqual({
    id: 7,
    title: 'A title',
    body: 'A text',
    link: 'https://casino.example/play',
    image: 'https://img.example/a.png',
    icon: brand.logo_url,
    base: brand.base,
    token: 'token',
  });
  expect(made({ title: ' ' }).title).toBe('Demo');
  expect(made({ cta_button_link: '/play?game=1' }).link).toBe('/play?game=1');
});

test.each([
  '',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '//evil.example/a',
  '/\\\\evil.example/a',
  'no address',
])('a link %j is left out', (link) => {
  const payload = made({ cta_button_link: link, image_url: link }, { ...brand, logo_url: link });
  expect(Object.keys(payload).sort()).toEqual(['base', 'body', 'id', 'title', 'token']);
});

test('the payload fits into a push, however long its parts are', () => {
  const long = (part: string) => `https://img.example/${part.repeat(1_900 / part.length)}`;
  const texts = { title: '語'.repeat(3_000), preview_text: '🂡'.repeat(3_000) };
  const withAll = payloadOf({ ...content, ...texts, image_url: long('i'), cta_button_link: long('l') }, brand, 'token');
  expect(Buffer.byteLength(withAll)).toBeLessThanOrEqual(3_900);
  const payload: PushPayload = JSON.parse(withAll);
  expect(payload).toMatchObject({ link: long('l'), title: `${'語'.repeat(119)}…` });
  expect(payload.image).toBeUndefined();
  expect(made({ ...texts, image_url: long('i') }).body.length).toBe(400);
  // Every character takes three bytes: text and picture are cut before the link.
  expect(made({ ...texts, cta_button_link: long('%E8%AA%9E') })).toMatchObject({ link: long('%E8%AA%9E') });
});

test('tokens are valid for one purpose, one brand and one row, and survive a change of the secret', () => {
  const tokens = new PushTokens({ secrets: ['new', 'old'] });
  const token = tokens.write('click', 3, 77);
  expect(tokens.read('click', 3, token)).toBe(77);
  expect(tokens.read('renewal', 3, token)).toBeNull();
  expect(tokens.read('click', 4, token)).toBeNull();
  expect(tokens.read('click', 3, new PushTokens({ secrets: ['old'] }).write('click', 3, 5))).toBe(5);
  expect(tokens.read('click', 3, new PushTokens({ secrets: ['other'] }).write('click', 3, 5))).toBeNull();
  for (const forged of ['', '3.78', token.replace('77', '78'), `${token}A`, token.slice(0, -1), `0${token}`])
    expect(tokens.read('click', 3, forged)).toBeNull();
});

test.each([
  ['mailto:push@a.example', '', 'https://crm.example', 'mailto:push@a.example'],
  ['push@a.example', '', 'https://crm.example', 'mailto:push@a.example'],
  ['', 'help@a.example', 'https://crm.example', 'mailto:help@a.example'],
  ['', 'https://a.example/help', 'http://localhost:8080', 'https://a.example/help'],
  ['', '+356 1234', 'https://crm.example', 'https://crm.example'],
  ['', '', 'http://localhost:8080', 'mailto:push@localhost'],
])('contact %j, support contact %j and address %s give %s', (contact, support_contact, publicUrl, expected) => {
  const push = { contact, enabled: true, ends_with_logout_event: true, private_origins: [] };
  expect(contactOf({ push, support_contact }, publicUrl)).toBe(expected);
});
