/*
 * Whether an endpoint is worth calling. One that only fails is left alone but for a probe now and then: the others'
 * share of this machine grows by that, and the players who wait keep their place and their first tries. So when the
 * endpoint heals, everyone is served at once, instead of each at the end of a wait that grew during the outage.
 *
 *              failuresToOpen in a row              the wait is over
 *     closed ---------------------------> open ----------------------> probing
 *        ^                                 ^                             |  |
 *        |                                 '--- probe fails: wait x 2 ---'  |
 *        '------------------------- an answer ------------------------------'
 *
 * A player whom the operator does not know is an answer: any number of them never closes an endpoint for the others.
 */
const failuresToOpen = 20;
const firstWaitMs = 1_000;
/** Also the longest time after healing that nobody notices. */
const longestWaitMs = 15_000;

export type Passage = 'all' | 'probe' | 'none';

/** Paused: the operator asked to be left alone (429) and is otherwise well. */
export const circuitStates = ['closed', 'paused', 'open', 'probing'] as const;
export type CircuitState = (typeof circuitStates)[number];

export interface CircuitCondition {
  state: CircuitState;
  /** How long it has been open or probing, in milliseconds; null when it is neither. */
  open_for_ms: number | null;
  /** Until calls are let through again, be it a probe; null: they are. */
  next_call_in_ms: number | null;
}

export class Circuit {
  #failures = 0;
  #waitMs = firstWaitMs;
  #openUntil = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #openSince: number | null = null;

  /** @param now milliseconds of a clock that never steps; the same in every call. */
  passage(now: number): Passage {
    if (now < this.#pausedUntil) return 'none';
    if (this.#failures < failuresToOpen) return 'all';
    return now < this.#openUntil ? 'none' : 'probe';
  }

  condition(now: number): CircuitCondition {
    const isOpen = this.#failures >= failuresToOpen;
    const wait = Math.max(this.#pausedUntil, isOpen ? this.#openUntil : Number.NEGATIVE_INFINITY) - now;
    const open_for_ms = isOpen ? now - (this.#openSince ?? now) : null;
    const next_call_in_ms = wait > 0 ? wait : null;
    if (isOpen) return { state: wait > 0 ? 'open' : 'probing', open_for_ms, next_call_in_ms };
    return { state: wait > 0 ? 'paused' : 'closed', open_for_ms, next_call_in_ms };
  }

  answered(): void {
    this.#failures = 0;
    this.#openSince = null;
    this.#waitMs = firstWaitMs;
  }

  failed(now: number): void {
    this.#failures++;
    // Calls that were under way when it opened say nothing new.
    if (this.#failures < failuresToOpen || now < this.#openUntil) return;
    this.#openSince ??= now;
    this.#openUntil = now + this.#waitMs;
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
  }

  /** The operator asked to be left alone (429, Retry-After). */
  pause(now: number, ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
  }
}
