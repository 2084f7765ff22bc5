/** Public interface of the gate; see README.md. */
export { Sealer } from './chain/sealer.ts';
export {
  type ChainFinding,
  type ChainReport,
  findingKinds,
  verifyChain,
} from './chain/verify.ts';
export type { GateDeps } from './decision/decide-all.ts';
export { ruleVersion } from './decision/rule.ts';
export { type ExportFormat, exportDecisions } from './export/export.ts';
export { Gate } from './gate.ts';
export { type CountedVerdicts, countVerdicts } from './reading/count-verdicts.ts';
export { type Explained, explain } from './reading/explain.ts';
export {
  countHolds,
  type DecisionCursor,
  type DecisionFilter,
  decisionsOfCause,
  decisionsOfCauses,
  decisionsOfMessage,
  type ListedDecision,
  type ListedHold,
  listDecisions,
  listHolds,
} from './reading/lists.ts';
export { forgetContacts } from './records/hold-store.ts';
export { HoldUpkeep } from './records/hold-upkeep.ts';
export { type RecordedInputs, recordedInputs } from './records/record.ts';
export {
  type Channel,
  type ContactRequest,
  channels,
  type Decision,
  type HeldReason,
  heldReasons,
  type Purpose,
  purposes,
  type RulesOfContact,
  type Ruling,
  type RulingReason,
  rulingReasons,
  type WithheldReason,
  withheldReasons,
} from './request.ts';
export { isUnsettled } from './unsettled.ts';
