/** The rules of contact: what else decides on a contact after the gate allowed it. */
export { type Contact, type ContactHistory, exceededCap, type FrequencyCap } from './caps.ts';
export { type ContactDecision, type ContactQuestion, type ContactSettings, decideContact } from './decide.ts';
export { isHeldOut } from './holdout.ts';
export { type PolicyPack, type PolicyReason, type PolicySubject, policyBreach, policyPacks } from './policy.ts';
export { type QuietHours, quietUntil } from './quiet-hours.ts';
