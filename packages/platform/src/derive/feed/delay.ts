import type { Micros } from '@croupier/contracts';

const ms: Micros = 1_000;
const s: Micros = 1_000_000;

/**
 * Upper bounds of the classes of the publish delay, ascending. The classes are narrow around the target of 1 second
 * (docs/reference/interface.md, Delivery rules 1). The target is one of the bounds, so the events within the target are counted exactly.
 * The last class has no upper bound. The histograms in the database are arrays in this order, so a change needs a migration.
 */
export const delayBounds: readonly Micros[] = [
  ...[1, 2, 5, 10, 20, 50, 75, 100, 150, 200, 300, 400, 500, 600, 700, 800, 900].map((n) => n * ms),
  ...[1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800].map((n) => n * s),
  Number.POSITIVE_INFINITY,
];

/**
 * The minimum delay of an event. A timestamp without a fraction means a whole second, and the event may have
 * happened at any time within it. If the delay were measured from the start of that second, an operator that publishes
 * immediately would appear half a second late on average.
 */
export function publishDelay(at: Micros, receivedAt: Micros): Micros {
  const latest = at % s === 0 ? at + s - 1 : at;
  return Math.max(0, receivedAt - latest);
}

/** The index of the class of a delay. */
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
/**
 * A delay this close to a full hour counts as "whole hours late". It allows for slow delivery, and is less than the
 * smallest difference between time zones.
 */
const hourTolerance: Micros = 120_000_000;

/**
 * The whole hours by which an event was late (negative: early), -24 to 24. Undefined if its delay is not close to a
 * full hour.
 */
export function wholeHours(delay: Micros): number | undefined {
  const hours = Math.round(delay / hour) || 0;
  if (hours < -24 || hours > 24) return undefined;
  return Math.abs(delay - hours * hour) <= hourTolerance ? hours : undefined;
}
