import { expect, test } from 'vitest';
import { limitsOf, refusedUntil } from './login-limit.ts';

const limits = limitsOf('ann@example.com', '192.0.2.7');
const [pair, account, address] = limits.map((limit) => limit.subject);

test.each([
  { name: 'first attempt', subject: pair, failures: 1, until: null },
  { name: 'tenth of one address at one account', subject: pair, failures: 10, until: null },
  { name: 'eleventh', subject: pair, failures: 11, until: 900 },
  { name: 'eleventh at the account from everywhere', subject: account, failures: 11, until: null },
  { name: 'hundred and first at the account', subject: account, failures: 101, until: 900 },
  { name: 'hundred and first of the address', subject: address, failures: 101, until: 900 },
])('$name: refused until $until', ({ subject, failures, until }) => {
  const counts = [{ subject: subject ?? Buffer.alloc(32), failures, window_ends_at: 900 }];
  expect(refusedUntil(limits, counts)).toBe(until);
});

test('of several limits the one that ends last counts', () => {
  const counts = limits.map((limit, i) => ({ subject: limit.subject, failures: 1_000, window_ends_at: 100 * (i + 1) }));
  expect(refusedUntil(limits, counts)).toBe(300);
});
