/**
 * What became of one event of the ledger.
 *
 *   applied     the first event of its key, or one that no fact is made of: of a kind that only causes a refresh, or of an
 *               endpoint that makes no rounds (setting rounds_from)
 *   repeat      its key was there already with the same money: a retry, without effect
 *   conflict    its key was there already with another amount, currency or rate. Which of the two is in force is decided
 *               by the rule of docs/reference/decisions.md 2.3, not by which came first: a conflict may well be the one in force
 *   orphan      a Rollback, Rejected, Cancelled or Settlement whose counterpart is not there (yet)
 *   too_old     older than the history of the brand: without effect until a person imports it
 *   parked      it cannot be applied at the moment (see parking/); it is retried, others of its player go on
 *   unreadable  the event itself cannot be read; it is retried
 *
 * The verdict tells how an event met the state when it arrived. It is kept in the journal and the statistics only; derived
 * state never depends on it.
 */
export const verdicts = ['applied', 'repeat', 'conflict', 'orphan', 'too_old', 'parked', 'unreadable'] as const;
export type Verdict = (typeof verdicts)[number];
