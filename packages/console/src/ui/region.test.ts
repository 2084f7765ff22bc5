import { expect, test } from 'vitest';
import { regionOf } from './region.ts';

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-AT', 'en-US', 'en-GB'], 'en-US'],
  ['de', ['en-GB', 'en'], 'de'],
  ['en', ['en'], 'en'],
  ['de', [], 'de'],
])('in %s, a browser that prefers %j shows dates as in %s', (language, preferred, region) => {
  expect(regionOf(language, preferred)).toBe(region);
});

test('a British browser shows times in 24 hours', () => {
  const written = new Intl.DateTimeFormat(regionOf('en', ['en-GB']), { hour: 'numeric', minute: '2-digit' });
  expect(written.format(new Date(2026, 0, 1, 15, 5))).toBe('15:05');
});
