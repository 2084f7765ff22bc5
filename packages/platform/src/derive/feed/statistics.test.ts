import { expect, test } from 'vitest';
import { delayBounds, delayClass, publishDelay, wholeHours } from './delay.ts';
import { type FeedEvent, feedMinutes } from './statistics.ts';

const second = 1_000_000;
const hour = 3600 * second;
const noon = Date.UTC(2026, 4, 1, 12) * 1000;

function event(fields: Partial<FeedEvent> & { delay: number }): FeedEvent {
  const { delay, ...rest } = fields;
  const received_at = rest.received_at ?? noon;
  return { brand_id: 1, kind: 'login', received_at, at: received_at - delay, verdict: 'applied', flags: [], ...rest };
}

const halfAnHour = () => 1800 * second;

function delaysOf(events: readonly FeedEvent[]): Record<string, number> {
  const [row] = feedMinutes(events, [], halfAnHour);
  return Object.fromEntries(
    [...(row?.delays ?? []).entries()]
      .filter(([, n]) => n > 0)
      .map(([i, n]) => [`${(delayBounds[i] ?? 0) / second}`, n]),
  );
}

test('the target of one second is a bound, so it is counted exactly', () => {
  expect(delayBounds[delayClass(second)]).toBe(second);
  expect(delayBounds[delayClass(second + 1)]).toBe(1.25 * second);
  expect(delayClass(-5)).toBe(0);
  expect(delayBounds[delayClass(100 * hour)]).toBe(Number.POSITIVE_INFINITY);
  expect([...delayBounds].sort((a, b) => a - b)).toEqual(delayBounds);
});

test('a timestamp without a fraction means the whole second', () => {
  expect(publishDelay(noon, noon + 1.2 * second)).toBe(0.2 * second + 1);
  expect(publishDelay(noon + 1, noon + 1.2 * second)).toBe(1.2 * second - 1);
  expect(publishDelay(noon + 5 * second, noon)).toBe(0);
});

test('the publish delay counts first events only; retries and imports are left out', () => {
  const events = [
    event({ delay: 0.9 * second }),
    event({ delay: 0.95 * second, verdict: 'conflict' }),
    event({ delay: 600 * second, verdict: 'repeat' }),
    event({ delay: 1801 * second }),
    event({ delay: -3 * second }),
  ];
  expect(delaysOf(events)).toEqual({ '0.001': 1, '0.9': 1, '1': 1 });
  expect(feedMinutes(events, [], halfAnHour)[0]).toMatchObject({ events: 5, repeats: 1, conflicts: 1 });
});

test('minutes, kinds and brands are counted separately', () => {
  const events = [
    event({ delay: 0 }),
    event({ delay: 0, received_at: noon + 60 * second }),
    event({ delay: 0, kind: 'payment', verdict: 'orphan' }),
    event({ delay: 0, brand_id: 2 }),
  ];
  const rows = feedMinutes(events, [{ brand_id: 1, kind: 'payment', orphans: 2 }], halfAnHour);
  expect(rows.map((row) => [row.brand_id, row.kind, (row.minute - noon) / second, row.events])).toEqual([
    [1, 'login', 0, 1],
    [1, 'login', 60, 1],
    [1, 'payment', 0, 1],
    [2, 'login', 0, 1],
  ]);
  expect(rows[2]).toMatchObject({ orphans: 1, orphans_resolved: 2 });
});

test.each([
  [0, 0],
  [-hour, -1],
  [2 * hour + 100 * second, 2],
  [2 * hour - 100 * second, 2],
  [1.5 * hour, undefined],
  [25 * hour, undefined],
])('a delay of %i is %s whole hours', (delay, hours) => {
  expect(wholeHours(delay)).toBe(hours);
});

test('zone-less events are counted by the whole hours of their delay', () => {
  const zoneless = (delay: number) => event({ delay, flags: ['zoneless_timestamp'] });
  const [row] = feedMinutes([zoneless(2 * hour + second), zoneless(2 * hour), zoneless(second)], [], halfAnHour);
  expect(row).toMatchObject({ zoneless: 3, flagged: 0 });
  expect(row?.zoneless_hours[24 + 2]).toBe(2);
  expect(row?.zoneless_hours[24]).toBe(1);
});
