import { expect, test } from 'vitest';
import { bodyOfTerms, timesCount, usualTerms } from './terms.ts';

test('only the terms that a person typed are sent', () => {
  expect(bodyOfTerms(usualTerms)).toEqual({ per_second: 50 });
  const expires = '2026-06-01T12:00';
  expect(bodyOfTerms({ products: ['casino'], campaign: ' spring ', pace: '7', expires })).toEqual({
    per_second: 7,
    products: ['casino'],
    campaign_id: 'spring',
    expires_at: new Date(expires).toISOString(),
  });
});

test.each([
  ['10', 3, '30'],
  ['0.1', 3, '0.3'],
  ['12.50', 1_000_000, '12500000.00'],
  ['0.01', 0, '0.00'],
])('%s for each of %d players is %s, exactly', (amount, players, sum) => {
  expect(timesCount(amount, players)).toBe(sum);
});
