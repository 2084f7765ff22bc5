/** Front door of the gate. */
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
