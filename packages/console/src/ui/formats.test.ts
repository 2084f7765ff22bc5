import { expect, test } from 'vitest';
import { dateFormat, numberFormat, timeZone } from './formats.ts';

test('a format is made once for each locale and each set of options', () => {
  const day = dateFormat('de', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  expect(dateFormat('de', { day: 'numeric', month: 'short', timeZone: 'UTC' })).toBe(day);
  expect(dateFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })).not.toBe(day);
  expect(dateFormat('de', { day: 'numeric', timeZone: 'UTC' })).not.toBe(day);
  expect(day.format(new Date('2026-05-04T12:00:00Z'))).toBe('4. Mai');
});

test('numbers and dates with the same options do not share a format', () => {
  expect(numberFormat('de', {}).format(1234.5)).toBe('1.234,5');
  expect(dateFormat('de', {}).format(new Date(2026, 4, 4))).toBe('4.5.2026');
});

test('the time zone is the one of the browser', () => {
  expect(timeZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});
