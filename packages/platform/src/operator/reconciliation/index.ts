/** Front door of reconciliation, through that of the operator stage; see README.md. */
export { readReconciliationAges } from './ages.ts';
export { Reconciler } from './reconciler.ts';
export { type Drift, mostListed, readDrift } from './run/drift-store.ts';
export { cancelRun, decideHeld, requestRuns } from './run/request-store.ts';
export { driftActions, type Run, runStates } from './run/run.ts';
export { readRun, readRuns } from './run/run-store.ts';
