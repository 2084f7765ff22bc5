/** What became of one piece of work, and what it wants next. The runner writes it to its row; the engine counts it. */
export type Outcome =
  | { outcome: 'done' }
  /** A try that brought nothing. The next one follows after `in_ms`, which comes from a ladder. */
  | { outcome: 'retry'; reason: string; in_ms: number }
  /** Nothing was tried: the work waits for something else, such as an answer of the gate. It costs no try. */
  | { outcome: 'snooze'; reason: string; in_ms: number }
  /** It ends here, and a person can read why. */
  | { outcome: 'give_up'; reason: string }
  /** The claim has run out, or the work was taken back. Nothing was written. */
  | { outcome: 'lost' };

export type OutcomeKind = Outcome['outcome'];

export const done: Outcome = { outcome: 'done' };
export const lost: Outcome = { outcome: 'lost' };

/** Until the work is due again; null: never by itself. */
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
