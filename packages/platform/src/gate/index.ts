/** Front door of the gate; see README.md. */
export type { GateDeps } from './decision/decide-all.ts';
export { Gate } from './gate.ts';
export {
  type Channel,
  type ContactRequest,
  channels,
  type Decision,
  type HeldReason,
  heldReasons,
  type Purpose,
  purposes,
  type WithheldReason,
  withheldReasons,
} from './request.ts';
