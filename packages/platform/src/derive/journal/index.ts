export { kindCodes, kindOf } from './codes.ts';
export { JournalPartitions } from './partitions.ts';
export {
  deleteEntries,
  insertEntries,
  type JournalEntry,
  type JournalFilter,
  type JournalPage,
  marksOf,
  notedEntries,
  positionName,
  timeline,
} from './store.ts';
