import type { Micros } from '@croupier/contracts';
import type { LookUp } from '../judging/index.ts';
import type { ResyncFilter } from './filter.ts';

/*
 * A re-synchronization run. After data problems at the operator, it requests the look-ups of some players, or of all players
 * of a brand, again. Each run has one row, which records its progress.
 *
 *     asking ---all requested----> answering ---none open---> done
 *      ^  |                        ^  |
 *      |  '--> paused <------------|--'        any of the three ---> cancelled
 *      '---------'-----------------'
 *
 * - asking: requests players in the order of player_id, at the run's pace, in the lane background. `position` moves in the
 *   transaction that writes the requests. So any worker can continue where a dead one stopped: each player is requested exactly
 *   once.
 * - answering: all are requested. Look-ups that have neither been answered nor permanently failed are still open.
 * - paused: no further requests. Open look-ups continue, and are counted when the run continues.
 *
 * The requests are rows of player_sync, with all its guarantees. Cancelling a run does not withdraw them.
 */
export const resyncStates = ['asking', 'answering', 'paused', 'done', 'cancelled'] as const;
export type ResyncState = (typeof resyncStates)[number];

/** A row of resync. */
export interface ResyncRun {
  resync_id: number;
  brand_id: number;
  state: ResyncState;
  filter: ResyncFilter;
  /** How many players were named; null for all that match the filter. */
  named: number | null;
  look_ups: LookUp[];
  /** Players per second; null for the brand's setting. */
  per_second: number | null;
  requested_by: string;
  requested_at: Micros;
  started_at: Micros | null;
  asked_all_at: Micros | null;
  finished_at: Micros | null;
  position: number;
  last_player_id: number | null;
  paced_to: Micros | null;
  /** Matching players at the start; null until a worker has counted them. */
  total: number | null;
  /** Counts of look-ups: requested, answered, and failed three times in a row or parked. The rest is open. */
  asked: number;
  answered: number;
  failed: number;
}
