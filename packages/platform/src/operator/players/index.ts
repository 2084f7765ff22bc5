/** Public exports of players, a part of the operator stage; see ../README.md. */
export {
  type ChangeSource,
  type ItemChange,
  type ItemState,
  itemStates,
  loosens,
  type WrittenRecord,
  writtenRecords,
} from './own-changes/item.ts';
export { lateWritesFor } from './own-changes/own-changes.ts';
export { type LookUpBacklog, mostCounted, readBacklog } from './reading/backlog.ts';
export {
  type Block,
  type Consent,
  type PlayerSync,
  type Profile,
  type ProfileValues,
  readProfileValues,
  readSyncedPlayer,
  type SyncError,
  type SyncedPlayer,
} from './reading/player.ts';
export { listSyncProblems } from './reading/problems.ts';
export { requestLiveLookUps, requestRefresh } from './reading/refresh.ts';
export { waitingLookUps } from './reading/waiting.ts';
export { readBlocks, readConsents, writeBlocks, writeConsents } from './records/record-store.ts';
export type { ConsentRow } from './records/rows.ts';
export { readSegmentationKeys, readSegmentationTraits } from './segmentation/catalog.ts';
export { ClockWatch } from './sync/clock-watch.ts';
export type { DueTimes } from './sync/due-times.ts';
export { lanes } from './sync/lane.ts';
export { RefreshConsumer } from './sync/refresh-consumer.ts';
export { requestLookUps, requestUnlessErased } from './sync/request-store.ts';
export { lookUpsAfter } from './sync/requests.ts';
export { LookUpScheduler } from './sync/scheduler.ts';
