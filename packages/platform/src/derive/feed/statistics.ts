import type { EventKind, Flag, Micros } from '@croupier/contracts';
import type { Verdict } from '../verdict.ts';
import { delayBounds, delayClass, publishDelay, wholeHours } from './delay.ts';

const minute: Micros = 60_000_000;
const hoursEitherWay = 24;

/** One event as the statistics see it. */
export interface FeedEvent {
  brand_id: number;
  kind: EventKind;
  received_at: Micros;
  /** The event's own timestamp; null if it could not be read. */
  at: Micros | null;
  verdict: Verdict;
  flags: readonly Flag[];
}

/** The counts per brand, kind and minute of receipt: the row of feed_minute. */
export interface FeedMinute {
  brand_id: number;
  kind: EventKind;
  minute: Micros;
  events: number;
  repeats: number;
  conflicts: number;
  orphans: number;
  orphans_resolved: number;
  unreadable: number;
  flagged: number;
  zoneless: number;
  /** Payments without a payment_id. */
  without_id: number;
  last_received_at: Micros;
  /** Indexed by `delayClass`. */
  delays: number[];
  /** Events without a time zone, by how many whole hours late they arrived (-24 to +24). */
  zoneless_hours: number[];
}

/**
 * Counts a batch. Pure.
 *
 * The publish delay counts first events only: the delay of a retry shows how long the operator's queue was, not how
 * fast it publishes. It also leaves out imports, which are events older than the brand's trigger age on arrival.
 */
export function feedMinutes(
  events: readonly FeedEvent[],
  resolved: readonly { brand_id: number; kind: EventKind; orphans: number }[],
  triggerAge: (brandId: number) => Micros,
): FeedMinute[] {
  const minutes = new Map<string, FeedMinute>();
  const latest = new Map<string, FeedMinute>();
  for (const event of events) {
    const row = rowOf(minutes, event);
    latest.set(`${event.brand_id}:${event.kind}`, row);
    count(row, event, triggerAge(event.brand_id));
  }
  for (const { brand_id, kind, orphans } of resolved) {
    const row = latest.get(`${brand_id}:${kind}`);
    if (row !== undefined) row.orphans_resolved += orphans;
  }
  return [...minutes.values()];
}

function count(row: FeedMinute, event: FeedEvent, triggerAge: Micros): void {
  const { verdict, flags, received_at, at } = event;
  row.events += 1;
  row.last_received_at = Math.max(row.last_received_at, received_at);
  if (verdict === 'repeat') row.repeats += 1;
  if (verdict === 'conflict') row.conflicts += 1;
  if (verdict === 'orphan') row.orphans += 1;
  if (verdict === 'unreadable') row.unreadable += 1;
  const zoneless = flags.includes('zoneless_timestamp');
  if (flags.length > (zoneless ? 1 : 0)) row.flagged += 1;
  if (flags.includes('payment_without_id')) row.without_id += 1;
  if (at === null || verdict === 'repeat') return;
  const delay = received_at - at;
  if (delay <= triggerAge) add(row.delays, delayClass(publishDelay(at, received_at)));
  if (!zoneless) return;
  row.zoneless += 1;
  const hours = wholeHours(delay);
  if (hours !== undefined) add(row.zoneless_hours, hours + hoursEitherWay);
}

function add(histogram: number[], place: number): void {
  histogram[place] = (histogram[place] ?? 0) + 1;
}

function rowOf(minutes: Map<string, FeedMinute>, event: FeedEvent): FeedMinute {
  const { brand_id, kind } = event;
  const start = Math.floor(event.received_at / minute) * minute;
  const key = `${brand_id}:${kind}:${start}`;
  const known = minutes.get(key);
  if (known !== undefined) return known;
  const row: FeedMinute = {
    brand_id,
    kind,
    minute: start,
    events: 0,
    repeats: 0,
    conflicts: 0,
    orphans: 0,
    orphans_resolved: 0,
    unreadable: 0,
    flagged: 0,
    zoneless: 0,
    without_id: 0,
    last_received_at: event.received_at,
    delays: new Array<number>(delayBounds.length).fill(0),
    zoneless_hours: new Array<number>(2 * hoursEitherWay + 1).fill(0),
  };
  minutes.set(key, row);
  return row;
}
