import type { Micros, ReconciliationField } from '@croupier/contracts';
import type { CallFailure } from '../../calling/index.ts';
import type { HeldReason } from '../answer/hold.ts';
import type { UnusableReason } from '../answer/result-reader.ts';

/*
 * A run: one field of one brand, asked once. One row for life, which says how far it is and how it went.
 *
 *     waiting ---claimed---> reading ---list complete---> comparing ---all compared---> asking ---nothing left---> done
 *        |                    |   |                        |    ^                         |
 *        |                    |   '--for a person to see--> held  '                         |
 *        |                    |                             | |---approved--'              |
 *        |                    |                             |---refused---> rejected       |
 *        |                    |                             '---newer list, 7 days---> superseded
 *        |                    |--error, cut, silence, worker dead---> failed <---stage lost---- (comparing, asking)
 *        |                    '--404, 405, 501---> not_offered
 *        '--------------------'------ cancelled -------------'--------------------'
 *
 * reading     The ids are staged (stage/). Nothing of them has any effect yet. The worker holds a claim that it renews; once that
 *             has run out, the worker is dead, and with it the stream: the run has failed.
 * comparing   Players in the order of user_id, a thousand corrections per transaction. The row remembers the place, so any worker
 *             goes on where a dead one stopped, and no claim is needed: the row is locked for each transaction.
 * asking      All that tightens is in force. What remains goes at a pace that leaves the operator room: look-ups of players whom
 *             the list may not loosen, then players that we did not know.
 */
export const runStates = [
  'waiting',
  'reading',
  'comparing',
  'asking',
  'held',
  'done',
  'failed',
  'not_offered',
  'cancelled',
  'rejected',
  'superseded',
] as const;
export type RunState = (typeof runStates)[number];

/** Why a run failed: no answer, an answer of another status, one that is worth nothing, or an end on our side. */
const runFailures = ['bad_status', 'interrupted', 'stage_lost', 'no_operator', 'unstorable'] as const;
export type FailureReason = CallFailure | UnusableReason | (typeof runFailures)[number];

export const driftActions = ['tightened', 'look_up', 'reported', 'newer', 'created'] as const;
export type DriftAction = (typeof driftActions)[number];

/** A row of reconciliation. */
export interface Run {
  reconciliation_id: number;
  brand_id: number;
  field: ReconciliationField;
  cause: 'schedule' | 'person';
  state: RunState;
  /** Why it is held or failed; 'expired' of a superseded one. */
  reason: FailureReason | HeldReason | 'expired' | null;
  detail: string | null;
  requested_at: Micros;
  started_at: Micros | null;
  /** When all that tightens was in force. */
  applied_at: Micros | null;
  finished_at: Micros | null;
  cancel_requested: boolean;
  bytes: number;
  ids_read: number;
  /** Different ids; null until the list is complete. */
  ids: number | null;
  /** Of the last applied list of the field. */
  ids_before: number | null;
  result_timestamp: Micros | null;
  as_of: Micros | null;
  step: 'players' | 'look_ups' | 'unknown' | null;
  position: string | null;
  compared: number;
  tightened: number;
  /** Players whom a look-up has to decide about, and how many of them it was asked for. */
  to_look_up: number;
  looked_up: number;
  reported: number;
  newer: number;
  created: number;
}
