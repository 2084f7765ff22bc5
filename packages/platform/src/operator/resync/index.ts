/** Public exports of resync, a part of the operator stage; see ../README.md. */
export { type ResyncChoice, type ResyncFilter, resyncChoices } from './filter.ts';
export { Resynchronizer } from './resynchronizer.ts';
export { type ResyncRun, resyncStates } from './run.ts';
export {
  changeRun as changeResync,
  insertRun as requestResync,
  playersNamed,
  readRun as readResync,
  readRuns as readResyncs,
} from './run-store.ts';
