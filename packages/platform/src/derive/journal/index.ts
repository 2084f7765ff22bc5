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
export { JournalPartitions, journalDaysKept, journalKept } from './partitions.ts';
export { deleteEntries, insertEntries, type JournalEntry } from './store.ts';
