/** Public exports of writeback, a part of the operator stage; see ../README.md. */
export { lockConsents, withdrawalsInForce } from './before-change.ts';
export { changeConsents, setBlock } from './change.ts';
export { writeDueTimes } from './due-times.ts';
export {
  answeredWriteBacks,
  countWriteBacks,
  type ListedAttempt,
  listOpenWriteBacks,
  listPlayerWriteBacks,
  listWriteAttempts,
  playerWriteBacks,
  readSpellings,
  type WriteBackItem,
  writeBackLists,
} from './reading.ts';
export { RecordWriter } from './record-writer.ts';
export { requestBody } from './request.ts';
export { UnknownPlayer } from './unknown-player.ts';
export { waitingWrites } from './waiting.ts';
