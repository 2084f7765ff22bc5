import type { Micros } from '@croupier/contracts';

const ms: Micros = 1_000;
const s: Micros = 1_000_000;

/**
 * Upper bounds of the classes of the publish delay, ascending. Classes are narrow around the target of 1 second
 * (docs/reference/interface.md, Delivery rules 1), which is itself a bound, so "within the target" is counted exactly; the last class
 * has no bound. The histograms in the database are arrays in this order: changing it needs a migration.
 */
export const delayBounds: readonly Micros[] = [
  ...[1, 2, 5, 10, 20, 50, 75, 100, 150, 200, 300, 400, 500, 600, 700, 800, 900].map((n) => n * ms),
  ...[1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800].map((n) => n * s),
  Number.POSITIVE_INFINITY,
];

/**
 * How late an event came, at least. A timestamp without a fraction names a whole second, anywhere in which the event may
 * have taken place: measured from its start, an operator that publishes at once would be half a second late on average.
 */
export function publishDelay(at: Micros, receivedAt: Micros): Micros {
  const latest = at % s === 0 ? at + s - 1 : at;
  return Math.max(0, receivedAt - latest);
}

/** The class of a delay. */
export function delayClass(delay: Micros): number {
  let low = 0;
  let high = delayBounds.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (delay <= (delayBounds[middle] as Micros)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const hour: Micros = 3_600_000_000;
/** How far from the full hour still counts as "whole hours late": more than slow delivery, less than any zone's step. */
const hourTolerance: Micros = 120_000_000;

/** Whole hours that an event came late (negative: early), -24 to 24; undefined when its delay is near no full hour. */
export function wholeHours(delay: Micros): number | undefined {
  const hours = Math.round(delay / hour) || 0;
  if (hours < -24 || hours > 24) return undefined;
  return Math.abs(delay - hours * hour) <= hourTolerance ? hours : undefined;
}
