export { delayBounds } from './delay.ts';
export { type FeedEvent, feedMinutes } from './statistics.ts';
export { addMinutes, type FeedSummary, feedMinutesSince, feedSummary, lastReceived, pruneMinutes } from './store.ts';
