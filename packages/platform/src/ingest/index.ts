export { Committer, type CommitterLimits, defaultCommitterLimits, type Refusal } from './committer.ts';
export { createIngestEdge, type EdgeDeps } from './edge.ts';
export { LateEvents } from './late-events.ts';
export { Quarantine, QuarantineFull, type Reinjection } from './quarantine.ts';
export { comingRemovals, mostBodies, type QuarantineRemovals } from './quarantine-age.ts';
export type { QuarantineState } from './quarantine-policy.ts';
export {
  getQuarantined,
  listQuarantine,
  openQuarantine,
  type QuarantineFilter,
  type QuarantineItem,
  type QuarantineItemWithBody,
  quarantineCounts,
} from './quarantine-store.ts';
export { QuarantineUpkeep } from './quarantine-upkeep.ts';
export { type ReceiveDeps, receive, receiveOwn, type Verdict } from './receive.ts';
export { callRefusals, readRefusedCalls, refusalStatuses } from './refused-call-store.ts';
export { RefusedCalls } from './refused-calls.ts';
