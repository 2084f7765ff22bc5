import { expect, test } from 'vitest';
import { dayNamed, dayNumber, daysBetween, plusDays } from './days.ts';

test('days are counted across months, leap days and years, and before 1970', () => {
  expect(dayNumber('1970-01-02')).toBe(1);
  expect(dayNamed(-1)).toBe('1969-12-31');
  expect(plusDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(plusDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(plusDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(daysBetween('2024-01-01', '2025-01-01')).toBe(366);
  expect(daysBetween('2026-03-01', '2026-02-27')).toBe(-2);
});

test('days are converted correctly even if there are more than the cache holds', () => {
  for (let number = 0; number < 25_000; number++) expect(dayNumber(dayNamed(number))).toBe(number);
  expect(dayNamed(1)).toBe('1970-01-02');
});
