/** The rules of contact: the decisions about a contact after the gate has allowed it. */

export { type CapCount, type Contact, type ContactHistory, type FrequencyCap, longestCap } from './caps.ts';
export { contactOf, priorityOf, subjectOf } from './contact-of-effect.ts';
export { type ContactDecision, type ContactQuestion, type ContactSettings, decideContact } from './decide.ts';
export { type DecidedContact, decideContacts, type RequestedContact } from './decide-all.ts';
export { isHeldOut } from './holdout.ts';
export {
  type MarketPolicy,
  marketPolicies,
  marketPolicyOf,
  type PolicyReason,
  type PolicySubject,
  policyBreach,
  policyReasons,
} from './policy.ts';
export { type GapReason, gapReasons, type PolicyGap, policyGaps } from './policy-gaps.ts';
export { type QuietHours, quietHoursOf, quietUntil } from './quiet-hours.ts';
export { playerZone, type ZoneSettings } from './zone.ts';
