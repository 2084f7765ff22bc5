/** Front door of writing back; see README.md. */
export { lockConsents, standingWithdrawals } from './before-change.ts';
export type { BlockChange } from './block-change.ts';
export { changeConsents, setBlock } from './change.ts';
export type { ConsentChange } from './consent-change.ts';
export { type ItemState, itemStates, type WrittenRecord, writtenRecords } from './item.ts';
export {
  countWriteBacks,
  type ListedAttempt,
  listOpenWriteBacks,
  listPlayerWriteBacks,
  listWriteAttempts,
  type WriteBackCounts,
  type WriteBackItem,
  type WriteBackList,
  writeBackLists,
} from './reading.ts';
export { RecordWriter } from './record-writer.ts';
export { UnknownPlayer } from './unknown-player.ts';
