import { expect, test } from 'vitest';
import { dayPattern, daysLater, dayText, edgeOf, edgeText, monthsLater, readDay, weeksOf } from './day-text.ts';

test('a day is written in the format of the region of the console', () => {
  expect(['de', 'de-AT', 'en-GB', 'en'].map((region) => dayText('2026-05-04', region))).toEqual([
    '04.05.2026',
    '04.05.2026',
    '04/05/2026',
    '05/04/2026',
  ]);
  expect(dayPattern('de', { day: 'TT', month: 'MM', year: 'JJJJ' })).toBe('TT.MM.JJJJ');
  expect(dayPattern('en', { day: 'DD', month: 'MM', year: 'YYYY' })).toBe('MM/DD/YYYY');
});

test('an end of a range of days has a time only if it is within a day', () => {
  const start = edgeOf('2026-05-04', 'start');
  const end = edgeOf('2026-05-04', 'end');
  expect(edgeText(start, 'start', 'de')).toBe('04.05.2026');
  expect(edgeText(end, 'end', 'de')).toBe('04.05.2026');
  expect(edgeText(new Date('2026-05-04T14:23:45'), 'start', 'de')).toBe('04.05.2026, 14:23');
  expect(edgeText(new Date('2026-05-04T14:23:45'), 'end', 'en-GB')).toBe('04/05/2026, 14:23');
  // A range that ends where a day begins does not contain the day.
  expect(edgeText(start, 'end', 'de')).toBe('04.05.2026, 00:00');
});

test.each([
  ['4.5.2026', 'de', '2026-05-04'],
  ['04.05.26', 'de', '2026-05-04'],
  ['4/5/2026', 'en-GB', '2026-05-04'],
  ['5/4/2026', 'en', '2026-05-04'],
  ['2026-05-04', 'de', '2026-05-04'],
  [' 4 - 5 - 2026 ', 'de', '2026-05-04'],
  ['31.04.2026', 'de', undefined],
  ['29.02.2026', 'de', undefined],
  ['29.02.2028', 'de', '2028-02-29'],
  ['13/13/2026', 'en', undefined],
  ['4.5.', 'de', undefined],
  ['tomorrow', 'en', undefined],
])('"%s" in %s is %s', (text, region, day) => {
  expect(readDay(text, region)).toBe(day);
});

test('every day that is written can be read', () => {
  for (const region of ['de', 'de-CH', 'en', 'en-GB', 'en-ZA', 'en-CA'])
    for (const day of ['2026-01-31', '2025-12-01', '2028-02-29'])
      expect(readDay(dayText(day, region), region), `${region} ${day}`).toBe(day);
});

test('months and days are added across the ends of months and years', () => {
  expect(daysLater('2026-12-31', 1)).toBe('2027-01-01');
  expect(daysLater('2026-03-29', -1)).toBe('2026-03-28');
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28');
  expect(monthsLater('2026-01-15', -1)).toBe('2025-12-15');
  expect(monthsLater('2026-11-30', 3)).toBe('2027-02-28');
});

test('a week begins on Monday, and on Sunday in North America', () => {
  expect(weeksOf('2026-05-04', 'de')[0]).toEqual([
    '2026-04-27',
    '2026-04-28',
    '2026-04-29',
    '2026-04-30',
    '2026-05-01',
    '2026-05-02',
    '2026-05-03',
  ]);
  expect(weeksOf('2026-05-04', 'en')[0]?.[0]).toBe('2026-04-26');
  expect(weeksOf('2027-02-10', 'de')).toHaveLength(4);
});
