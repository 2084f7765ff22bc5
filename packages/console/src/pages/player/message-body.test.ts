import { expect, test } from 'vitest';
import { bodyOfMessage, hasText } from './message-body.ts';

const typed = {
  channel: 'site',
  purpose: 'service',
  template: null,
  language: null,
  values: null,
  event: 'inbox',
  title: 'Hello',
  text: 'One & <two>\nthree\n\nfour',
  list: '',
  expires: '',
} as const;
const html = '<p>One &amp; &lt;two&gt;<br>three</p><p>four</p>';

test('a message has the fields of its channel only, and plain text becomes HTML', () => {
  expect(bodyOfMessage(typed)).toEqual({
    channel: 'site',
    purpose: 'service',
    event: 'inbox',
    title: 'Hello',
    message: html,
  });
  expect(bodyOfMessage({ ...typed, channel: 'email' })).toMatchObject({ subject: 'Hello', html });
  expect(bodyOfMessage({ ...typed, channel: 'sms' })).toEqual({ channel: 'sms', purpose: 'service', text: typed.text });
  expect(bodyOfMessage({ ...typed, channel: 'telephone', list: 'vip' })).toMatchObject({
    list: 'vip',
    note: typed.text,
  });
  expect(bodyOfMessage({ ...typed, channel: 'post_mail' })).not.toHaveProperty('list');
});

test('a message from a template has no separate text', () => {
  const expires = '2026-06-01T12:00';
  expect(bodyOfMessage({ ...typed, template: 'welcome', language: 'de', expires })).toEqual({
    channel: 'site',
    purpose: 'service',
    template: 'welcome',
    language: 'de',
    expires: new Date(expires).toISOString(),
  });
});

test('a template is sent with its values, and not before it is loaded and each needed value is typed', () => {
  const prize = { name: 'event.prize', isNeeded: true };
  const from = (values: { name: string; isNeeded: boolean; typed: string }[] | null) => ({
    ...typed,
    template: 'prize',
    values,
  });
  expect(hasText(from(null))).toBe(false);
  expect(hasText(from([{ ...prize, typed: '' }]))).toBe(false);
  const whole = from([{ ...prize, typed: 'A boat' }]);
  expect(hasText(whole)).toBe(true);
  expect(bodyOfMessage(whole)).toMatchObject({ template: 'prize', variables: { event: { prize: 'A boat' } } });
});
