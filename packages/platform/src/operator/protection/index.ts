/** Public exports of protection, a part of the operator stage; see ../README.md. */
export { readProtectionFacts } from './fact-store.ts';
export type { LookUpKnowledge, ProtectionFacts } from './facts.ts';
export {
  blockInputs,
  consentInput,
  exclusionInputs,
  type Protection,
  type ProtectionInput,
  protectionOf,
} from './inputs.ts';
export { noteProtection } from './note-protection.ts';
export { type ListedTransition, listTransitions, type PlayerTransition, playerTransitions } from './reading.ts';
export { insertRecordChanges, type RecordChange, takeRecordChanges } from './record-change-store.ts';
export type { FactSource } from './source.ts';
export {
  followers,
  type ProtectionTransition,
  protectingKinds,
  type TransitionKind,
  transitionKinds,
} from './transition.ts';
export { TransitionFollower } from './transition-follower.ts';
