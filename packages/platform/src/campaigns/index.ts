/** Public exports of the stage campaigns; see README.md. */
export { ContactRules, type ContactsAlike } from './contact/portion.ts';
export type { RunnableVersion } from './documents/active-store.ts';
export { approvalLimits } from './documents/approval-limits.ts';
export {
  absentOf,
  audienceOf,
  everybody,
  policyGapsOf,
  type TemplateGaps,
  templateGaps,
} from './documents/gaps.ts';
export { knownTo } from './documents/known.ts';
export * from './documents/manage.ts';
export { CampaignRefused } from './documents/refused.ts';
export { type CampaignState, campaignStates, versionStates } from './documents/state.ts';
export {
  type By,
  campaignsBySegment,
  campaignsNaming,
  campaignsSending,
  campaignsThatUse,
  insertCampaign,
  lockReferences,
  readCampaignPage,
  readCampaigns,
  readVersions,
  type StoredCampaign,
  type StoredVersion,
} from './documents/store.ts';
export { type CampaignWarning, warningsOf } from './documents/warnings.ts';
export { nextOfAudience } from './dry-run/audience.ts';
export { type TrialDeps, tryRun } from './dry-run/try-run.ts';
export { type CampaignConcerns, readCampaignConcerns } from './halt/concerns.ts';
export { countSpoiledRuns, readSpoiledRuns, type SpoiledRuns } from './halt/spoiled-runs.ts';
export { CampaignSweep } from './halt/sweep.ts';
export { CampaignWatch } from './halt/watch.ts';
export { CampaignConsumer } from './news/consumer.ts';
export { enterPlayer, refuseUnenterable } from './news/enter.ts';
export { eventName } from './news/event-names.ts';
export { eventNews } from './news/event-news.ts';
export type { RunCause } from './news/news.ts';
export { CampaignWakeupListener, CampaignWakeupSender } from './news/wakeups.ts';
export {
  countRuns,
  countSteps,
  type ListedRun,
  listRuns,
  mostStepRecords,
  playerEnds,
  playerEntries,
  readCampaignsOfRuns,
  readStepRecords,
  runsCausedBy,
  type StoredStepRecord,
} from './reading.ts';
export {
  type AmountFilter,
  type AmountPlace,
  type AmountRow,
  listAmounts,
  listedAmounts,
  measures,
  readCreditCosts,
} from './results/measures.ts';
export {
  countDays,
  listOutcomes,
  type Outcome,
  type OutcomeFilter,
  type OutcomePlace,
  type OutcomeRow,
  outcomes,
} from './results/outcomes.ts';
export { type CampaignResults, type Counts, defaultWindowDays, readResults } from './results/results.ts';
export {
  countRunSteps,
  listRunSteps,
  type RunStepCount,
  type RunStepFilter,
  type StepState,
  stepStates,
} from './results/steps.ts';
export { type Refusal, refusals } from './runs/entries.ts';
export { CampaignLane } from './runs/lane.ts';
export { insertProtectionNews } from './runs/protect.ts';
export { refuseEntry } from './runs/refuse-entry.ts';
export { type StartState, startStates } from './starts/plan.ts';
export { CampaignStarter } from './starts/starter.ts';
export { countCandidates, listStarts, type StoredStart } from './starts/store.ts';
export { CampaignUpkeep } from './upkeep.ts';
