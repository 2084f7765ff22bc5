/** Campaigns without a clock, database or network: their document, its validation, and how a run moves. See README.md. */

export { type AbsentVariable, absentVariables, type VariablesKnown } from './absent-variables.ts';
export { advance, effectAt, findStep } from './advance.ts';
export { type ApprovalLimits, approvalReasons, type CampaignReach, reasonsAbove } from './approval.ts';
export { type CampaignError, checkCampaign, type Known } from './check.ts';
export {
  type CapCount,
  type Contact,
  type ContactDecision,
  type ContactHistory,
  type ContactQuestion,
  type ContactSettings,
  contactOf,
  type DecidedContact,
  decideContact,
  decideContacts,
  type FrequencyCap,
  type GapReason,
  gapReasons,
  isHeldOut,
  longestCap,
  type MarketPolicy,
  marketPolicies,
  marketPolicyOf,
  type PolicyGap,
  type PolicyReason,
  type PolicySubject,
  playerZone,
  policyBreach,
  policyGaps,
  policyReasons,
  priorityOf,
  type QuietHours,
  quietHoursOf,
  quietUntil,
  type RequestedContact,
  subjectOf,
  type ZoneSettings,
} from './contact/index.ts';
export {
  allSteps,
  type Campaign,
  type Channel,
  type Entry,
  type EventMatcher,
  eventKindsOf,
  type Reentry,
  rulesOf,
  type Step,
  stepKinds,
} from './document.ts';
export { matchesEvent, type RunEvent } from './events.ts';
export { type CountedDay, type Forecast, type ForecastDay, fewestDays, forecast, type Range } from './forecast.ts';
export { latestGoal, reachesGoal } from './goal.ts';
export { type HaltCounts, type HaltLimits, haltLimits, haltReason, proposedEntriesPerDay } from './halt.ts';
export { isInShare, place } from './hash.ts';
export { mayChange } from './may-change.ts';
export { goneSteps, swappedSteps } from './moving.ts';
export { type OfferStep, offersBefore } from './offers.ts';
export { decideReentry, dependsOnEarlierRuns, type EarlierRuns, noEarlierRuns, withRun } from './reentry.ts';
export {
  type Context,
  dueOf,
  type Effect,
  type Input,
  type Move,
  newRun,
  type Run,
  type RunState,
  runStates,
  type StepRecord,
  type Verdict,
} from './run.ts';
export { momentsBetween, nextMoment, type Schedule, type ScheduledMoment, scheduledBetween } from './schedule.ts';
export { type RuleSentence, ruleSentences } from './sentences.ts';
export { armOf } from './split.ts';
export { unstorableTexts } from './storable.ts';
export { afterTags } from './tagged-player.ts';
