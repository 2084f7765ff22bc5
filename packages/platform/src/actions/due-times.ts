import type { DueTimes } from '../operator/players/index.ts';

/** The queues of this stage that the watch over the database's clock looks after. */
export const actionDueTimes: readonly DueTimes[] = [
  // The end of an offer is a moment of the calendar: it stays where it is.
  { table: 'bonus_intent', column: 'due_at', where: "due_for <> 'expiry'" },
  { table: 'bonus_resolution_request', column: 'due_at' },
  { table: 'funds_publication', column: 'due_at' },
];
