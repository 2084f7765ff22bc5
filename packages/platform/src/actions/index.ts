/** Front door of the actions stage. */
export { type IntentState, intentStates } from './intent.ts';
