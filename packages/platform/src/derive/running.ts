/** Exports for code that runs derive: the worker, its upkeep and history, rebuilds, parked events, erasure. */
export { enterLiveAlone } from './apply/batch.ts';
export { eraseDerived, withoutRebuilds } from './erasure/index.ts';
export { derivedTables, rollupTables } from './families/index.ts';
export {
  countTooOld,
  type HistoryRound,
  HistoryUpkeep,
  importTooOld,
  listTooOld,
  readSealedDays,
  type SealedDay,
} from './history/index.ts';
export { type ListedParking, listParked, parkedCounts } from './parking/index.ts';
export { PlayerCreator } from './players/create.ts';
export {
  cancelRebuild,
  type ListedDifference,
  mostReplayedEvents,
  RebuildCancelled,
  type RebuildProgress,
  type RebuildResult,
  RebuildRunner,
  RebuildRunning,
  type RebuildScope,
  readDifference,
  readDifferences,
  readRebuild,
  readRebuilds,
  rebuild,
  requestRebuild,
  traitsAround,
} from './rebuild/index.ts';
export { rollupDifferences } from './rollups/index.ts';
export { DeriveUpkeep } from './upkeep.ts';
export { DeriveWorker } from './worker.ts';
