import { readFailingBuckets } from './bucket-failures.ts';
import { listFailingPlayers, readFailingPlayers } from './player-failures.ts';

/** What is not updated, for operations staff. */
export const segmentFailures = {
  ofBuckets: readFailingBuckets,
  ofPlayers: readFailingPlayers,
  listPlayers: listFailingPlayers,
};
