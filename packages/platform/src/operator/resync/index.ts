/** Front door of re-synchronisation, through that of the operator stage; see README.md. */
export { type ResyncChoice, type ResyncFilter, resyncChoices } from './filter.ts';
export { Resynchroniser } from './resynchroniser.ts';
export { type ResyncRun, type ResyncState, resyncStates } from './run.ts';
export { changeRun, insertRun, playersNamed, readRun, readRuns } from './run-store.ts';
