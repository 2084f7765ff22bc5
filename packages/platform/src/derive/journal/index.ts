export { kindOf } from './codes.ts';
export {
  entriesAt,
  type JournalFilter,
  type JournalPage,
  marksOf,
  notedEntries,
  positionName,
  timeline,
} from './list.ts';
export {
  JournalPartitions,
  journalRetention as journalKept,
  journalRetentionDays as journalDaysKept,
} from './partitions.ts';
export { deleteEntries, insertEntries, type JournalEntry } from './store.ts';
