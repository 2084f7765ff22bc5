import { expect, test } from 'vitest';
import { agoText } from './ago.ts';

const now = Date.parse('2026-05-01T12:00:00Z');

test.each([
  ['2026-05-01T11:59:58Z', '2 seconds ago'],
  ['2026-05-01T11:58:01Z', '1 minute ago'],
  ['2026-05-01T09:00:00Z', '3 hours ago'],
  ['2026-04-28T12:00:00Z', '3 days ago'],
  ['2026-05-01T12:00:00Z', 'now'],
])('%s is %s', (at, text) => {
  expect(agoText(at, now, 'en')).toBe(text);
});
