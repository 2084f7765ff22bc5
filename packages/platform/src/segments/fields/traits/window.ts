import type { Micros } from '@croupier/contracts';
import { dayOf, momentText, plusDays, startOfDay } from '@croupier/rules';
import { daysOf, hoursOf, type Window } from '../../../derive/index.ts';

const hour: Micros = 3_600_000_000;

/** "in the last 7 days". */
export function windowWords({ unit, count, before }: Window): string {
  if (before) return count === 1 ? 'yesterday' : `in the ${count} days before the last ${count}`;
  if (unit === 'days') return count === 1 ? 'today' : `in the last ${count} days`;
  return count === 1 ? 'in this clock hour' : `in the last ${count} clock hours`;
}

/** A bucket of totals: a day of the brand, or the beginning of an hour. */
export type Bucket = string | Micros;

/** The first and the last bucket of a window at a moment. */
export function bucketsOf(window: Window, at: Micros, zone: string): [first: Bucket, last: Bucket] {
  return window.unit === 'hours' ? hoursOf(window.count, at) : daysOf(window, at, zone);
}

/** After how many buckets a bucket enters a window, and after how many it leaves. */
export function stayOf({ count, before }: Window): [enters: number, leaves: number] {
  const enters = before ? count : 0;
  return [enters, enters + count];
}

/** The first moment after `at` at which one of the buckets enters the window or leaves it. */
export function nextMove(
  window: Window,
  buckets: Iterable<Bucket>,
  { at, zone }: { at: Micros; zone: string },
): Micros | undefined {
  const current = window.unit === 'hours' ? Math.floor(at / hour) * hour : dayOf(zone, at);
  const stay = stayOf(window);
  let next: Bucket | undefined;
  for (const bucket of buckets) {
    for (const buckets of stay) {
      const move = later(bucket, buckets);
      if (move > current && (next === undefined || move < next)) next = move;
    }
  }
  return typeof next === 'string' ? startOfDay(zone, next) : next;
}

function later(bucket: Bucket, buckets: number): Bucket {
  return typeof bucket === 'number' ? bucket + buckets * hour : plusDays(bucket, buckets);
}

/** A bucket as a parameter of a statement. */
export function bucketText(bucket: Bucket): string {
  return typeof bucket === 'number' ? momentText(bucket) : bucket;
}
