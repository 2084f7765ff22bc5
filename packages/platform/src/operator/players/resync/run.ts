import type { Micros } from '@croupier/contracts';
import type { LookUp } from '../../calling/index.ts';
import type { ResyncFilter } from './filter.ts';

/*
 * A run of re-synchronisation: the look-ups of some players, or of all of a brand, asked for anew after data trouble at the
 * operator. One row for life, which says how far it is.
 *
 *     asking ---all asked for---> answering ---none open---> done
 *      ^  |                        ^  |
 *      |  '--> paused <------------|--'        any of the three ---> cancelled
 *      '---------'-----------------'
 *
 * asking     Players in the order of player_id, so many a second, lane background. `position` moves in the transaction that
 *            writes the requests, so any worker goes on where a dead one stopped: nobody is left out, nobody asked for twice.
 * answering  All are asked for. Look-ups that have neither been answered nor failed for good are still open.
 * paused     No further requests. What is asked for already goes on, and is counted when the run goes on.
 *
 * The requests themselves are player_sync's, with all that it promises. A run that is cancelled takes none of them back.
 */
export const resyncStates = ['asking', 'answering', 'paused', 'done', 'cancelled'] as const;
export type ResyncState = (typeof resyncStates)[number];

/** A row of resync. */
export interface ResyncRun {
  resync_id: number;
  brand_id: number;
  state: ResyncState;
  filter: ResyncFilter;
  /** How many players were named; null: all that fit the filter. */
  named: number | null;
  look_ups: LookUp[];
  /** Players; null: the brand's setting. */
  per_second: number | null;
  requested_by: string;
  requested_at: Micros;
  started_at: Micros | null;
  asked_all_at: Micros | null;
  finished_at: Micros | null;
  position: number;
  last_player_id: number | null;
  paced_to: Micros | null;
  /** Players that fitted at the start; null until a worker has counted them. */
  total: number | null;
  /** Look-ups: asked for, answered, and failed three times in a row or parked. The difference is open. */
  asked: number;
  answered: number;
  failed: number;
}
