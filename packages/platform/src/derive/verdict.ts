/**
 * The outcome of one event of the ledger.
 *
 *   applied     the first event of its key, or an event that makes no fact, because its kind only causes a refresh or
 *               its endpoint makes no rounds (setting rounds_from)
 *   repeat      its key existed already with the same money: a retry, without effect
 *   conflict    its key existed already with another amount, currency or rate. The rule of docs/reference/decisions.md 2.3
 *               decides which of the two is in force, not the order of arrival. The event with this verdict may be the
 *               one in force
 *   orphan      a Rollback, Rejected, Cancelled or Settlement whose counterpart is missing when it arrives
 *   too_old     older than the history of the brand: without effect until a person imports it
 *   parked      it cannot be applied at the moment (see parking/). It is retried. Other events of its player are applied
 *   unreadable  the event itself cannot be read. It is retried
 *
 * The verdict compares the event with the state at its arrival. Only the journal and the statistics store it; derived
 * state never depends on it.
 */
export const verdicts = ['applied', 'repeat', 'conflict', 'orphan', 'too_old', 'parked', 'unreadable'] as const;
export type Verdict = (typeof verdicts)[number];
