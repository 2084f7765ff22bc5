/** Public exports of reconciliation, a part of the operator stage; see ../README.md. */
export { readReconciliationAges } from './ages.ts';
export { type LatestDrift, readLatestDrift } from './latest-drift.ts';
export { Reconciler } from './reconciler.ts';
export { mostListed as mostDriftListed, readDrift } from './run/drift-store.ts';
export {
  cancelRun as cancelReconciliation,
  decideHeld as decideHeldReconciliation,
  requestRuns as requestReconciliations,
} from './run/request-store.ts';
export { driftActions, type Run as ReconciliationRun, runStates as reconciliationStates } from './run/run.ts';
export { readRun as readReconciliation, readRuns as readReconciliations } from './run/run-store.ts';
export { listCall, type TriedList, tryList } from './try-list.ts';
export { waitingReconciliations } from './waiting.ts';
