/*
 * Decides which share of the time is available for work on many players: the computation of segments, and campaigns that
 * start by a schedule. The work yields to the feed. Pure.
 *
 *            a measure is above its limit: the share is halved, down to `fewestShare`
 *       .<---------------------------------------------------------------------------.
 *       v                                                                            |
 *    slowed ---- all measures are below three quarters of their limits, ----------> free
 *                each time 1/20 more
 *
 * The limits are absolute, because the cost of the feed without this work is not known while the work is under way. On a
 * machine that is too slow for its feed, the work still gets a tenth of the time.
 */

/** The effect of the machine's load on the feed, in milliseconds. */
export interface FeedMeasures {
  /** The longest time in which a recent batch of events was derived. */
  batch_ms: number;
  /** The longest time for which the event loop of this process was blocked. */
  loop_ms: number;
  /** The time of a statement that does nothing. */
  database_ms: number;
}

export type FeedMeasure = keyof FeedMeasures;

/** If a measure is above its limit, work on many players slows down. */
export const feedLimits: Readonly<FeedMeasures> = { batch_ms: 100, loop_ms: 40, database_ms: 20 };

export const fewestShare = 0.1;
const step = 0.05;
/** If the highest measure is between this part of its limit and the limit, the share stays the same. */
const calm = 0.75;

/** @returns the share of time, from 0.1 to 1, and the measure that is above its limit, if any */
export function nextShare(share: number, measures: FeedMeasures): { share: number; over: FeedMeasure | null } {
  const names = Object.keys(feedLimits) as FeedMeasure[];
  const loads = names.map((name) => ({ name, load: measures[name] / feedLimits[name] }));
  const { name, load } = loads.reduce((most, one) => (one.load > most.load ? one : most));
  if (load > 1) return { share: Math.max(fewestShare, share / 2), over: name };
  return { share: load > calm ? share : Math.min(1, share + step), over: null };
}
