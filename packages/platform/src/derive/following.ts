/** Exports for the stages that follow derive: what they receive with each batch, and the statistics of arriving events. */
export type { ConsumedEvent, DeriveConsumer, DerivedBatch, TooOldUpdate } from './consumer.ts';
export { type DerivedEvent, fingerprintOf } from './event.ts';
export { type FactOfEvent, factWords } from './event-fact.ts';
export { factOfEvent } from './fact-of-event.ts';
export { delayBounds, type FeedSummary, feedMinutesSince, feedSummary, lastReceived } from './feed/index.ts';
export { fieldsOfEvent } from './fields-of-event.ts';
export {
  deleteEntries,
  entriesAt,
  type JournalEntry,
  type JournalFilter,
  type JournalPage,
  journalDaysKept,
  journalKept,
  marksOf,
  notedEntries,
  positionName,
  timeline,
} from './journal/index.ts';
export { inBase } from './money.ts';
export { playersAwaitingUpdate } from './players/awaiting.ts';
export { takeNewPlayers } from './players/index.ts';
export { readLedgerEvent } from './read.ts';
export { type Verdict, verdicts } from './verdict.ts';
