import { expect, test } from 'vitest';
import { durationText, momentText } from './values.tsx';

test('a moment has its zone, also if it is of today', () => {
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(new Date('2026-05-04T12:00:00Z'))
    .find(({ type }) => type === 'timeZoneName')?.value;
  const written = (at: string) => momentText(new Date(at), new Date('2026-05-04T12:30:00Z'), 'en-GB');
  for (const at of ['2026-05-04T12:00:00Z', '2026-05-01T12:00:00Z', '2025-05-04T12:00:00Z'])
    expect(written(at)).toMatch(new RegExp(`\\d:\\d\\d.* ${zone}$`));
});

test.each([
  [0, '0 sec'],
  [59.4, '59 sec'],
  [60, '1 min'],
  [4_800, '1 hr 20 min'],
  [90_000, '1 day 1 hr'],
  [86_400, '1 day'],
])('%s seconds are %s', (seconds, text) => {
  expect(durationText(seconds, 'en')).toBe(text);
});
