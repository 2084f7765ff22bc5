/** Public exports of the actions stage. */
export * from './budgets/index.ts';
export { actionDueTimes } from './due-times.ts';
export { FundsPublisher, listWaitingFunds, type WaitingFunds } from './funds/index.ts';
export { type IntentState, intentStates } from './intent.ts';
export { type Applied, applyIntentEvent, applyIntentEvents, type EventContext } from './intents/apply.ts';
export { type Attempt, attemptOutcomes, selectAttempts } from './intents/attempt-store.ts';
export { type SweptIntents, sweepCampaignIntents } from './intents/campaign-sweep.ts';
export { type ListedChange, selectChanges } from './intents/change-store.ts';
export { type CreatedIntent, createIntents, RequestKeyReused } from './intents/create.ts';
export { dropProtected } from './intents/drop-protected.ts';
export { type BonusIntent, type IntentKind, intentKinds, type NewIntent } from './intents/intent.ts';
export { type RequestedOffer, readIntentsByKey } from './intents/intent-store.ts';
export {
  countWaitingIntents,
  type IntentFilter,
  type IntentPlace,
  intentsOf,
  type ListedIntent,
  listIntents,
  mostIntentsCounted,
  playerIntents,
  readIntent,
  type StateCount,
} from './intents/listing.ts';
export {
  type IntentEvent,
  type PersonVerdict,
  personVerdicts,
  type Refusal,
  refusals,
  type Step,
} from './intents/machine.ts';
export {
  type ClaimedOffer,
  claimOffer,
  type ListedOffer,
  listOffers,
  mostOffersListed,
  readNextOfferExpiry,
} from './intents/offers.ts';
export { intentOutcome } from './intents/outcome.ts';
export { requestOf as bonusRequestOf, unmappedExtra } from './intents/request.ts';
export { IntentRunner, type RunnerOptions } from './intents/runner.ts';
export { readWaitingBonusCalls, type WaitingBonusCalls } from './intents/waiting.ts';
export {
  assignedHow,
  ResolutionConsumer,
  Resolver,
  readGrantsOfIntent,
  readResolutionBacklog,
} from './resolution/index.ts';
