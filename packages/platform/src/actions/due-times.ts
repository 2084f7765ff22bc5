import type { DueTimes } from '../operator/players/index.ts';

/** The queues of this stage whose due times move with the database's clock (ClockWatch). */
export const actionDueTimes: readonly DueTimes[] = [
  // The end of an offer is a fixed time, so it does not move.
  { table: 'bonus_intent', column: 'due_at', where: "due_for <> 'expiry'" },
  { table: 'bonus_resolution_request', column: 'due_at' },
  { table: 'funds_publication', column: 'due_at' },
];
