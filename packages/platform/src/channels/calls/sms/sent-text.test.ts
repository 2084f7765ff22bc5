import { describe, expect, test } from 'vitest';
import { longestSms } from '../content.ts';
import { countParts } from './parts.ts';
import { type SmsTracking, sentSms } from './sent-text.ts';

const on = { email_clicks: false, email_opens: false, sms_clicks: true, forbidden_in: ['DE'] };
const tracking = (more: Partial<SmsTracking> = {}): SmsTracking => ({
  settings: { message_tracking: on },
  publicUrl: 'https://crm.example',
  player: { market: null, country: 'MT' },
  code: (place) => `code-of-link-${place}`.slice(-13),
  ...more,
});
const short = (place: number) => `https://crm.example/t/${`code-of-link-${place}`.slice(-13)}`;

describe('the text of an SMS as it is sent', () => {
  test('has a short link for each target; the unsubscribe link and texts without a scheme stay', () => {
    const text =
      'Spins: https://casino.example/spins?a=1&b=2. Terms (http://casino.example/terms), again https://casino.example/spins?a=1&b=2\ncasino.example\nStop: https://crm.example/u/7ls8oDAZnThICvNv8eee';
    expect(sentSms(text, tracking())).toBe(
      `Spins: ${short(1)}. Terms (${short(2)}), again ${short(1)}\ncasino.example\nStop: https://crm.example/u/7ls8oDAZnThICvNv8eee`,
    );
  });

  test.each([
    ['switched off', tracking({ settings: { message_tracking: { ...on, sms_clicks: false, email_clicks: true } } })],
    ['forbidden where the player lives', tracking({ player: { market: null, country: 'de' } })],
    ['possibly forbidden, because the country is unknown', tracking({ player: { market: null, country: null } })],
  ])('keeps its links if tracking is %s', (_, how) => {
    const text = 'https://casino.example/spins';
    expect(sentSms(text, how)).toBe(text);
  });

  test('without a player has tracked links, because nothing forbids them', () => {
    expect(sentSms('https://casino.example/', tracking({ player: null }))).toBe(short(1));
  });

  test('keeps its links if it would be too long', () => {
    const text = `${'a'.repeat(longestSms - 20)} http://casino.e/x`;
    expect(sentSms(text, tracking())).toBe(text);
    expect(sentSms(text.slice(100), tracking())).toContain(short(1));
  });
});

describe('its parts', () => {
  const long = `https://casino.example/${'a'.repeat(200)}`;
  test.each([
    ['a long link makes it shorter', `Ten spins: ${long}`, 2, 1],
    ['a short link makes it longer', `${'a'.repeat(145)} http://x.example`, 2, 2],
    ['a short link adds a part', `${'a'.repeat(140)} http://x.example`, 1, 2],
    ['in UCS-2', `${'ж'.repeat(30)} ${long}`, 4, 1],
    ['without a link', 'a'.repeat(160), 1, 1],
  ] as const)('%s', (_, text, before, after) => {
    expect(countParts(text).parts).toBe(before);
    expect(countParts(sentSms(text, tracking())).parts).toBe(after);
  });

  test('are the same with the sample of a code as with a real one', () => {
    const text = `Ten spins: ${long}`;
    const { code: _, ...sample } = tracking();
    expect(countParts(sentSms(text, sample))).toEqual(countParts(sentSms(text, tracking())));
  });
});
