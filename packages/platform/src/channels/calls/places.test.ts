import { expect, test } from 'vitest';
import { expiryReason } from '../rate-shortage.ts';
import type { AnySettings } from '../settings/settings.ts';
import { CallPlaces } from './places.ts';

const settings = (changes: Partial<AnySettings>) =>
  ({ per_second: 4, max_connections: 100, ...changes }) as unknown as AnySettings;
const of = (target: string) => ({ brand_id: 1, channel: 'webhook' as const, target, due: 100 });
const well = { isAlive: true, pauseMs: null };

test('a provider begins no more calls than its rate, and no more calls are open than it has connections', () => {
  let now = 0;
  const places = new CallPlaces(() => now);
  const limit = (changes: Partial<AnySettings> = {}) => places.place(of('a'), settings(changes)).limit;
  expect(limit()).toBe(4);
  for (let n = 0; n < 4; n++) places.began(of('a'));
  // Four calls are open, and none may begin.
  expect(limit()).toBe(4);
  for (let n = 0; n < 4; n++) places.ended(of('a'), well);
  expect(limit()).toBe(0);
  now += 500;
  expect(limit()).toBe(2);
  now += 60_000;
  expect(limit()).toBe(4);
  expect(limit({ max_connections: 1 })).toBe(1);
});

test('a rate below one per second is respected', () => {
  let now = 0;
  const places = new CallPlaces(() => now);
  const limit = () => places.place(of('a'), settings({ per_second: 0.1 })).limit;
  expect(limit()).toBe(1);
  places.began(of('a'));
  places.ended(of('a'), well);
  now += 9_000;
  expect(limit()).toBe(0);
  now += 1_000;
  expect(limit()).toBe(1);
});

test('each provider has its own rate and circuit', () => {
  const places = new CallPlaces(() => 0);
  const limit = (target: string) => places.place(of(target), settings({ per_second: 100 })).limit;
  limit('dead');
  for (let n = 0; n < 20; n++) {
    places.began(of('dead'));
    places.ended(of('dead'), { isAlive: false, pauseMs: null });
  }
  expect([limit('dead'), limit('alive')]).toEqual([0, 100]);
});

test('a provider that asks for a pause gets no calls for that time', () => {
  let now = 0;
  const places = new CallPlaces(() => now);
  const limit = () => places.place(of('a'), settings({})).limit;
  limit();
  places.began(of('a'));
  places.ended(of('a'), { isAlive: true, pauseMs: 5_000 });
  expect(limit()).toBe(0);
  now += 5_000;
  expect(limit()).toBe(4);
});

test('a provider has a shortage only while more messages are due than its rate allows', () => {
  let now = 0;
  const second = 1_000_000;
  const places = new CallPlaces(() => now);
  const place = (due: number, at: number) => places.place({ ...of('a'), due }, settings({}), at);
  place(4, 0);
  expect(places.shortages(0)).toEqual([]);
  place(5, second);
  place(5, 2 * second);
  expect(places.shortages(3 * second)).toEqual([{ brand_id: 1, channel: 'webhook', target: 'a', since: second }]);
  now += 60_000;
  place(1, 70 * second);
  expect(places.shortSince(of('a'), 70 * second)).toBeNull();
  expect(expiryReason({ reason: null, expires_at: 2 * second }, second)).toBe('provider_rate');
  expect(expiryReason({ reason: 'server_error', expires_at: 2 * second }, second)).toBe('expired');
  expect(expiryReason({ reason: null, expires_at: 0 }, second)).toBe('expired');
});

test('workers share the rate of a provider, also a rate below one per second', () => {
  let now = 0;
  const shares = [0.5, 0.5];
  const workers = shares.map(
    (share) =>
      new CallPlaces(
        () => now,
        () => share,
      ),
  );
  const start = (per_second: number) =>
    workers.map((worker) => {
      const { limit } = worker.place(of('a'), settings({ per_second }));
      for (let n = 0; n < limit; n++) worker.began(of('a'));
      for (let n = 0; n < limit; n++) worker.ended(of('a'), well);
      return limit;
    });
  expect(start(8)).toEqual([4, 4]);
  now += 500;
  expect(start(8)).toEqual([2, 2]);
  now += 19_000;
  expect(start(0.1)).toEqual([0, 0]);
  now += 1_000;
  expect(start(0.1)).toEqual([1, 1]);
});
