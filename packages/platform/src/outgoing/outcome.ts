/** How one piece of work ended, and what it needs next. The runner writes it to its row; the engine counts it. */
export type Outcome =
  | { outcome: 'done' }
  /** The try failed. The next one follows after `in_ms`, which comes from a ladder. */
  | { outcome: 'retry'; reason: string; in_ms: number }
  /**
   * Nothing was tried, because the work waits for something else, such as an answer of the gate. It does not count as a
   * try.
   */
  | { outcome: 'snooze'; reason: string; in_ms: number }
  /** The work ends here. `reason` is shown to a person. */
  | { outcome: 'give_up'; reason: string }
  /** The claim had expired, or the work was withdrawn. Nothing was written. */
  | { outcome: 'lost' };

export type OutcomeKind = Outcome['outcome'];

export const done: Outcome = { outcome: 'done' };
export const lost: Outcome = { outcome: 'lost' };

/** Milliseconds until the work is due again; null if it does not become due automatically. */
export function dueInMs(outcome: Outcome): number | null {
  switch (outcome.outcome) {
    case 'retry':
    case 'snooze':
      return outcome.in_ms;
    case 'done':
    case 'give_up':
    case 'lost':
      return null;
    default:
      return outcome satisfies never;
  }
}
