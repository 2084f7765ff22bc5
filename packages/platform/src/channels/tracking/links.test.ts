import { describe, expect, test } from 'vitest';
import { linksOf, tracked } from './links.ts';
import { mayTrack } from './may-track.ts';

const words = {
  html: '<body><a class="b" href="https://casino.example/a?x=1&amp;y=2">A</a> <a href="https://casino.example/b">B</a><a href="mailto:x@y.example">M</a><a href="https://crm.example/unsubscribe/tok">Leave</a></body>',
  plain:
    'A (https://casino.example/a?x=1&y=2), see https://casino.example/c. Leave: https://crm.example/unsubscribe/tok',
};
const all = {
  clickUrl: (place: number) => `https://crm.example/t/tok-${place}`,
  openUrl: 'https://crm.example/o/tok',
  isOwn: (url: string) => url.startsWith('https://crm.example/unsubscribe/'),
};

describe('tracked links', () => {
  test('are in both parts, numbered by target, except the unsubscribe link', () => {
    expect(linksOf(words)).toEqual([
      'https://casino.example/a?x=1&y=2',
      'https://casino.example/b',
      'https://crm.example/unsubscribe/tok',
      'https://casino.example/c',
    ]);
    const { html, plain } = tracked(words, all);
    expect(html).toBe(
      '<body><a class="b" href="https://crm.example/t/tok-1">A</a> <a href="https://crm.example/t/tok-2">B</a><a href="mailto:x@y.example">M</a><a href="https://crm.example/unsubscribe/tok">Leave</a><img src="https://crm.example/o/tok" width="1" height="1" alt="" style="border:0;width:1px;height:1px"></body>',
    );
    expect(plain).toBe(
      'A (https://crm.example/t/tok-1), see https://crm.example/t/tok-4. Leave: https://crm.example/unsubscribe/tok',
    );
  });

  test('and the picture are omitted if they are switched off', () => {
    expect(tracked(words, { ...all, clickUrl: null, openUrl: null })).toEqual(words);
    expect(tracked({ html: '', plain: 'x' }, all)).toEqual({ html: '', plain: 'x' });
  });
});

describe('what may be tracked', () => {
  const on = { email_clicks: true, email_opens: true, sms_clicks: false, forbidden_in: ['DE', 'nordic'] };
  const everything = { clicks: true, opens: true };
  const nothing = { clicks: false, opens: false };
  test.each([
    [{ market: null, country: 'MT' }, everything],
    [{ market: null, country: 'de' }, nothing],
    [{ market: 'Nordic', country: 'SE' }, nothing],
    // The market and country are unknown.
    [{ market: null, country: null }, nothing],
  ])('depends on the market and country of the player: %j', (player, expected) => {
    expect(mayTrack(on, 'email', player)).toEqual(expected);
  });

  test('is what the brand has switched on', () => {
    const player = { market: null, country: null };
    const some = { email_clicks: false, email_opens: true, sms_clicks: true, forbidden_in: [] };
    expect(mayTrack(some, 'email', player)).toEqual({ clicks: false, opens: true });
    expect(mayTrack(some, 'sms', player)).toEqual({ clicks: true, opens: false });
  });
});
