import { expect, test } from 'vitest';
import { type MinuteCount, minutesOf, ratesOf } from './rates.ts';

const minute = 60_000_000;
const now = 1_000 * minute + minute / 2;
const ago = (minutes: number, events: number): MinuteCount => ({
  minute: (1_000 - minutes) * minute,
  kind: 'login',
  events,
});

test.each<[string, MinuteCount[], number | undefined]>([
  ['no events', [], undefined],
  ['all five minutes are full', [0, 1, 2, 3, 4].map((minutes) => ago(minutes, minutes === 0 ? 30 : 60)), 1],
  ['older minutes do not count', [ago(0, 30), ago(5, 6_000)], 0.5],
  ['the first event came a minute and a half ago', [ago(1, 60), ago(0, 30)], 1],
  ['the very first event', [ago(0, 1)], 1 / 60],
])('%s', (_name, minutes, rate) => {
  expect(ratesOf(minutes, now).get('login')).toBe(rate);
});

test('the last hour has every minute, including minutes without events, and adds up the kinds', () => {
  const shown = minutesOf([ago(0, 3), { ...ago(0, 2), kind: 'payment' }, ago(59, 7), ago(60, 9)], now);
  expect(shown).toHaveLength(60);
  expect(shown[0]).toEqual({ at: 941 * minute, events: 7 });
  expect(shown.at(-1)).toEqual({ at: 1_000 * minute, events: 5 });
  expect(shown.reduce((sum, { events }) => sum + events, 0)).toBe(12);
});
