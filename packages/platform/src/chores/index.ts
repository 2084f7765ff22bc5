export type { ClockGuard } from './clock-guard.ts';
export { agreementOf } from './clock-reference.ts';
export { type ProcessClock, readProcessClocks } from './clock-store.ts';
export { DatabaseClock } from './database-clock.ts';
export type { FeedRest } from './feed-watch.ts';
export { FeedWatch } from './feed-watch.ts';
export { IdlePolls } from './idle-polls.ts';
export { Rounds, type RoundsOptions } from './rounds.ts';
export { Underway } from './underway.ts';
