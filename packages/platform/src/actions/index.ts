/** Front door of the actions stage. */
export { type IntentState, intentStates } from './intent.ts';
export { type Applied, applyIntentEvent, type EventContext } from './intents/apply.ts';
export { type CreatedIntent, createIntents, RequestKeyReused } from './intents/create.ts';
export { dropProtected } from './intents/drop-protected.ts';
export { type BonusIntent, type IntentKind, intentKinds, type NewIntent } from './intents/intent.ts';
export {
  type IntentEvent,
  type PersonVerdict,
  personVerdicts,
  type Refusal,
  refusals,
  type Step,
} from './intents/machine.ts';
export { IntentRunner, type RunnerOptions } from './intents/runner.ts';
