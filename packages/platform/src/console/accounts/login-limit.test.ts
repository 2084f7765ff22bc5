import { expect, test } from 'vitest';
import { type LoginCount, limitsOf, longestWait, windowMicros, withAttempt } from './login-limit.ts';

const second = 1_000_000;
const now = 1_000 * second;
const limit = { subject: Buffer.alloc(32), free: 10 };
const fresh: LoginCount = { subject: limit.subject, failures: 0, window_ends_at: 0, turn_at: 0 };

function waits(attempts: number, at = now, from = fresh): number[] {
  let count = from;
  return Array.from({ length: attempts }, () => {
    count = withAttempt(count, limit, at);
    return (count.turn_at - at) / second;
  });
}

test('the first failures cause no wait; later attempts take turns of one second, and a refused one takes no turn', () => {
  expect(waits(13)).toEqual([...new Array(10).fill(0), 1, 2, 3]);
  expect(waits(40).slice(-3)).toEqual([11, 11, 11]);
  expect(longestWait / second).toBe(10);
});

test('turns that have passed are free again, and the window ends', () => {
  const full: LoginCount = { ...fresh, failures: 50, window_ends_at: now + windowMicros, turn_at: now + 11 * second };
  expect(waits(2, now + 30 * second, full)).toEqual([1, 2]);
  expect(waits(2, now + windowMicros, full)).toEqual([0, 0]);
});

test('the counts of an account and of a network are separate; a /64 of IPv6 is one network', () => {
  const subjects = (email: string, address: string, known = false) =>
    limitsOf(email, address, known).map(({ subject }) => subject.toString('hex'));
  const [pair, network, account] = subjects('ann@example.com', '2001:db8::1');
  expect(subjects('ann@example.com', '2001:db8::2')).toEqual([pair, network, account]);
  expect(subjects('ann@example.com', '192.0.2.1')[2]).toBe(account);
  expect(subjects('bea@example.com', '2001:db8::1')[1]).toBe(network);
  expect(subjects('ann@example.com', '2001:db8::1', true)).toEqual([pair, network]);
});

test('the number of places is limited, however many e-mails and addresses are tried', () => {
  const places = new Set<string>();
  for (let n = 0; n < 30_000; n++)
    for (const { subject } of limitsOf(`u${n}@example.com`, `10.0.${n >> 8}.${n & 255}`))
      places.add(subject.toString('hex'));
  expect(places.size).toBeLessThanOrEqual(3 * 4_096);
});
