/** Front door of the operator stage; see README.md. */
export { type BonusList, BonusLists, type OfferedBonus } from './bonus-list/index.ts';
export { type OperatorEndpoint, operatorEndpoints } from './client/endpoints.ts';
export { type CallFailure, callFailures } from './client/failures.ts';
export { type CallAnswer, type CallResult, type OperatorCall, OperatorClient } from './client/operator-client.ts';
export { OperatorClients } from './client/operator-clients.ts';
export { slotsToWrite, type WritingEndpoint } from './client/write-slots.ts';
export { type EndpointCircuit, readCircuits } from './health/circuit-store.ts';
export { EndpointCircuits, type EndpointLesson } from './health/circuits.ts';
export { type JudgedCall, OperatorHealth } from './health/endpoint-health.ts';
export { type EndpointHealth, readEndpoints } from './health/health-store.ts';
export { latencyBoundsMs, latencyQuantile } from './health/latency.ts';
export { readWaitingCalls, type WaitingCalls } from './health/waiting.ts';
export { type LookUp, type LookUpFailure, lookUps } from './judge/judgement.ts';
export { signOfFailure } from './judge/sign-of-failure.ts';
export { readProtectionFacts } from './protection/fact-store.ts';
export type { LookUpKnowledge, ProtectionFacts } from './protection/facts.ts';
export {
  blockInputs,
  consentInput,
  exclusionInputs,
  type Protection,
  type ProtectionInput,
  protectionOf,
} from './protection/inputs.ts';
export { noteProtection } from './protection/note-protection.ts';
export {
  type ListedTransition,
  listTransitions,
  playerTransitions,
  type TransitionFilter,
} from './protection/reading.ts';
export {
  type Follower,
  followers,
  type ProtectionTransition,
  type TransitionKind,
  transitionKinds,
} from './protection/transition.ts';
export { TransitionFollower } from './protection/transition-follower.ts';
export { type LookUpBacklog, mostCounted, readBacklog } from './reading/backlog.ts';
export {
  type Block,
  type Consent,
  type LookUpState,
  type PlayerSync,
  type Profile,
  readSyncedPlayer,
  type SyncError,
  type SyncedPlayer,
  type SyncState,
} from './reading/player.ts';
export { listSyncProblems, type ProblemCursor, type SyncProblem } from './reading/problems.ts';
export { requestLiveLookUps, requestRefresh } from './reading/refresh.ts';
export {
  cancelRun as cancelReconciliation,
  type Drift,
  decideHeld as decideHeldReconciliation,
  driftActions,
  mostListed as mostDriftListed,
  Reconciler,
  type Run as ReconciliationRun,
  readDrift,
  readReconciliationAges,
  readRun as readReconciliation,
  readRuns as readReconciliations,
  requestRuns as requestReconciliations,
  runStates as reconciliationStates,
} from './reconciliation/index.ts';
export {
  changeRun as changeResync,
  insertRun as requestResync,
  playersNamed,
  type ResyncChoice,
  type ResyncFilter,
  Resynchroniser,
  type ResyncRun,
  type ResyncState,
  readRun as readResync,
  readRuns as readResyncs,
  resyncChoices,
  resyncStates,
} from './resync/index.ts';
export { readSegmentationKeys, readSegmentationTraits } from './segmentation/catalogue.ts';
export type { KeyMeaning, SegmentationReading, SegmentationTrait } from './segmentation/traits.ts';
export type { SegmentationValue } from './segmentation/value.ts';
export { storableStart } from './storable.ts';
export { type CircuitState, circuitStates } from './sync/circuit.ts';
export { ClockWatch } from './sync/clock-watch.ts';
export type { DueTimes } from './sync/due-times.ts';
export { RefreshConsumer } from './sync/refresh-consumer.ts';
export { LookUpScheduler } from './sync/scheduler.ts';
export {
  type BlockChange,
  type ConsentChange,
  changeConsents,
  countWriteBacks,
  type ItemState,
  itemStates,
  type ListedAttempt,
  listOpenWriteBacks,
  listPlayerWriteBacks,
  listWriteAttempts,
  lockConsents,
  RecordWriter,
  setBlock,
  standingWithdrawals,
  UnknownPlayer,
  type WriteBackCounts,
  type WriteBackItem,
  type WriteBackList,
  type WrittenRecord,
  writeBackLists,
  writtenRecords,
} from './writeback/index.ts';
