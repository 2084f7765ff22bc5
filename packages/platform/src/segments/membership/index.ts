/** Public interface of the stage segments; see README.md. */

export { needsOf } from './active/active-version.ts';
export type { Cause } from './cause.ts';
export { segmentFailures } from './live/failures.ts';
export { SegmentLane } from './live/lane.ts';
export {
  type Actor,
  type Content,
  cancelComputation,
  freeze,
  publish,
  recompute,
  remove,
  SegmentRefused,
  saveContent,
  setPaused,
} from './manage.ts';
export { SegmentConsumer } from './news/consumer.ts';
export { noteReplacedOrRemoved } from './news/replaced-or-removed.ts';
export { listOverlap } from './overlap.ts';
export { PlatformRules, readCatalog } from './platform-rules.ts';
export {
  eachMember,
  type ListedSegment,
  type ListedTransition,
  listMembers,
  listSegments,
  playerInSegment,
  segmentsOfPlayer,
  segmentTransitions,
} from './reading.ts';
export type { RuleReading } from './rule-reading.ts';
export { SegmentComputer } from './settle/computer.ts';
export { listDifferences } from './settle/difference-store.ts';
export { NightlyRecomputations } from './settle/nightly.ts';
export { DueSweeper } from './settle/sweeper.ts';
export { verifySegments } from './settle/verify.ts';
export {
  readPlayerTags,
  readTagChanges,
  readTagNames,
  type TagChange,
  tagPlayers,
} from './tags/store.ts';
export { segmentStateOf, segmentStates, versionStates } from './versions/state.ts';
export {
  insertSegment,
  readSegments,
  readVersions,
  renameSegment,
  type StoredSegment,
  type StoredVersion,
} from './versions/store.ts';
export { loadWholeViews } from './whole-views.ts';
