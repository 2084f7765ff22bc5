import { expect, test } from 'vitest';
import { dayOf, fromLocalTime, isZone, zoneOffsetMinutes } from './zones.ts';

const utc = (text: string) => Date.parse(`${text}Z`) * 1000;

test.each([
  ['UTC', '2026-03-29T12:00:00', 0],
  ['Europe/Malta', '2026-03-29T00:59:59', 60],
  ['Europe/Malta', '2026-03-29T01:00:00', 120],
  ['America/New_York', '2026-01-01T00:00:00', -300],
  ['Asia/Kolkata', '2026-01-01T00:00:00', 330],
  ['Australia/Lord_Howe', '2026-04-04T14:59:59', 660],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00', 630],
])('%s at %s is %i minutes ahead', (zone, at, minutes) => {
  expect(zoneOffsetMinutes(zone, utc(at))).toBe(minutes);
  // The second call is answered from the cache.
  expect(zoneOffsetMinutes(zone, utc(at))).toBe(minutes);
});

test.each([
  ['UTC', '2026-03-01T23:59:59.999', '2026-03-01'],
  ['Europe/Malta', '2026-03-01T22:59:59', '2026-03-01'],
  ['Europe/Malta', '2026-03-01T23:00:00', '2026-03-02'],
  ['Europe/Malta', '2026-07-01T22:00:00', '2026-07-02'],
  ['Pacific/Kiritimati', '2025-12-31T10:00:00', '2026-01-01'],
  ['America/Los_Angeles', '2026-01-01T07:59:59', '2025-12-31'],
])('in %s, %s is the day %s', (zone, at, day) => {
  expect(dayOf(zone, utc(at))).toBe(day);
});

test.each([
  ['a usual time', 'Europe/Malta', '2026-06-01T10:00:00', '2026-06-01T08:00:00', undefined],
  ['the hour before clocks go forward', 'Europe/Malta', '2026-03-29T01:59:59', '2026-03-29T00:59:59', undefined],
  ['a time that does not exist', 'Europe/Malta', '2026-03-29T02:30:00', '2026-03-29T01:30:00', 'skipped_local_time'],
  ['the hour after clocks went forward', 'Europe/Malta', '2026-03-29T03:00:00', '2026-03-29T01:00:00', undefined],
  ['a time that occurs twice', 'Europe/Malta', '2026-10-25T02:30:00', '2026-10-25T00:30:00', 'ambiguous_local_time'],
  ['the hour after clocks went back', 'Europe/Malta', '2026-10-25T03:00:00', '2026-10-25T02:00:00', undefined],
  ['half an hour twice', 'Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00', 'ambiguous_local_time'],
  ['a zone behind UTC', 'America/New_York', '2026-03-08T02:30:00', '2026-03-08T07:30:00', 'skipped_local_time'],
] as const)('%s', (_name, zone, wall, at, flag) => {
  const local = fromLocalTime(zone, utc(wall));
  expect(new Date(local.at / 1000).toISOString()).toBe(`${at}.000Z`);
  expect(local.flag).toBe(flag);
});

test('an unknown zone is reported by name', () => {
  expect(isZone('Europe/Valletta')).toBe(false);
  expect(() => dayOf('Europe/Valletta', 0)).toThrow('Europe/Valletta');
});
