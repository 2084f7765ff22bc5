import type { Micros, ReconciliationField } from '@croupier/contracts';
import type { CallFailure } from '../../calling/index.ts';
import type { HeldReason } from '../answer/hold.ts';
import type { UnusableReason } from '../answer/result-reader.ts';

/*
 * A run: one request for one field of one brand. Each run has one row, which records its progress and result.
 *
 *     waiting ---claimed---> reading ---list complete---> comparing ---all compared---> asking ---nothing left---> done
 *        |                    |   |                        |    ^                         |
 *        |                    |   '--needs approval------> held   '                         |
 *        |                    |                             | |---approved--'              |
 *        |                    |                             |---refused---> rejected       |
 *        |                    |                             '---newer list, 7 days---> superseded
 *        |                    |--error, cut, silence, worker dead---> failed <---stage lost---- (comparing, asking)
 *        |                    '--404, 405, 501---> not_offered
 *        '--------------------'------ cancelled -------------'--------------------'
 *
 * reading     The ids are staged (stage/). They have no effect yet. The worker renews its claim; once the claim
 *             expires, the worker is dead and its stream is lost, so the run has failed.
 * comparing   Compares players in the order of user_id, with up to a thousand corrections per transaction. The row stores
 *             the position, so any worker can continue where a dead one stopped. No claim is needed, because each
 *             transaction locks the row.
 * asking      All tightening is in force. The rest goes at a pace that leaves the operator capacity: look-ups of players
 *             for whom a look-up has to decide, then players that the platform did not know.
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

/** Why a run failed: no answer, an answer with another status, an unusable answer, or a failure of the platform. */
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
  /** Why it is held or failed; 'expired' for some superseded runs. */
  reason: FailureReason | HeldReason | 'expired' | null;
  detail: string | null;
  requested_at: Micros;
  started_at: Micros | null;
  /** When all tightening was in force. */
  applied_at: Micros | null;
  finished_at: Micros | null;
  cancel_requested: boolean;
  bytes: number;
  ids_read: number;
  /** Distinct ids; null until the list is complete. */
  ids: number | null;
  /** The number of ids in the last applied list of the field. */
  ids_before: number | null;
  result_timestamp: Micros | null;
  as_of: Micros | null;
  step: 'players' | 'look_ups' | 'unknown' | null;
  position: string | null;
  compared: number;
  tightened: number;
  /** Players about whom a look-up has to decide, and for how many of them it was requested. */
  to_look_up: number;
  looked_up: number;
  reported: number;
  newer: number;
  created: number;
}
