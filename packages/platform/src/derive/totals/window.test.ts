import { describe, expect, test } from 'vitest';
import { daysOf, hoursOf, readWindow, windowName } from './window.ts';

const at = (text: string) => Date.parse(text) * 1000;

test.each([
  ['24h', { unit: 'hours', count: 24 }],
  ['48h', { unit: 'hours', count: 48 }],
  ['today', { unit: 'days', count: 1 }],
  ['366d', { unit: 'days', count: 366 }],
  ['49h', undefined],
  ['367d', undefined],
  ['prev_1d', { unit: 'days', count: 1, before: true }],
  ['prev_7d', { unit: 'days', count: 7, before: true }],
  ['prev_366d', { unit: 'days', count: 366, before: true }],
  ['prev_367d', undefined],
  ['prev_0d', undefined],
  ['prev_24h', undefined],
  ['prev_today', undefined],
  ['0d', undefined],
  ['7', undefined],
])('%s is %j', (text, window) => {
  expect(readWindow(text)).toEqual(window);
  if (window !== undefined) expect(windowName(window as { unit: 'hours'; count: number })).toBe(text);
});

test('hours are the current UTC hour and the hours before it', () => {
  expect(hoursOf(1, at('2026-05-01T12:59:59.999Z'))).toEqual([at('2026-05-01T12:00Z'), at('2026-05-01T12:00Z')]);
  expect(hoursOf(24, at('2026-05-01T12:00:00Z'))).toEqual([at('2026-04-30T13:00Z'), at('2026-05-01T12:00Z')]);
});

describe('days are calendar days of the zone', () => {
  test.each([
    // Clocks go forward in Malta on 2026-03-29 at 01:00 UTC, and back on 2026-10-25 at 01:00 UTC.
    ['Europe/Malta', '2026-03-28T22:59:59Z', 1, ['2026-03-28', '2026-03-28']],
    ['Europe/Malta', '2026-03-28T23:00:00Z', 1, ['2026-03-29', '2026-03-29']],
    ['Europe/Malta', '2026-03-29T21:59:59Z', 2, ['2026-03-28', '2026-03-29']],
    ['Europe/Malta', '2026-03-29T22:00:00Z', 2, ['2026-03-29', '2026-03-30']],
    ['Europe/Malta', '2026-10-25T22:59:59Z', 7, ['2026-10-19', '2026-10-25']],
    ['America/New_York', '2026-03-08T04:59:59Z', 7, ['2026-03-01', '2026-03-07']],
    ['America/New_York', '2026-03-09T03:59:59Z', 7, ['2026-03-02', '2026-03-08']],
    ['Asia/Kathmandu', '2026-05-01T18:15:00Z', 30, ['2026-04-03', '2026-05-02']],
    ['UTC', '2024-03-01T00:00:00Z', 366, ['2023-03-02', '2024-03-01']],
  ])('%s at %s, %i days: %j', (zone, now, count, days) => {
    expect(daysOf({ count }, at(now), zone)).toEqual(days);
  });

  test.each([
    ['Europe/Malta', '2026-03-29T21:59:59Z', 2, ['2026-03-26', '2026-03-27']],
    ['Europe/Malta', '2026-03-29T22:00:00Z', 1, ['2026-03-29', '2026-03-29']],
    ['America/New_York', '2026-03-09T03:59:59Z', 7, ['2026-02-23', '2026-03-01']],
    ['UTC', '2024-03-01T00:00:00Z', 366, ['2022-03-01', '2023-03-01']],
  ])('%s at %s, the %i days before the last: %j', (zone, now, count, days) => {
    expect(daysOf({ count, before: true }, at(now), zone)).toEqual(days);
  });
});

test('today, requested as 1d, keeps the requested name', () => {
  const names = ['today', '1d', '7d', '1h'].map((text) => windowName(readWindow(text) ?? { unit: 'days', count: 0 }));
  expect(names).toEqual(['today', '1d', '7d', '1h']);
});
