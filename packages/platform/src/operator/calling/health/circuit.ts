/*
 * Decides whether to call an endpoint. An endpoint that only fails gets no calls except a probe now and then. This leaves more
 * of this machine's capacity to the other endpoints. Players who wait keep their place and use up no tries. So when the
 * endpoint recovers, all are served immediately, instead of each after a wait that grew during the outage.
 *
 *              failuresToOpen in a row              the wait is over
 *     closed ---------------------------> open ----------------------> probing
 *        ^                                 ^                             |  |
 *        |                                 '--- probe fails: wait x 2 ---'  |
 *        '------------------------- an answer ------------------------------'
 *
 * A 404 for a player whom the operator does not know is an answer. Any number of them leaves the circuit closed.
 */
const failuresToOpen = 20;
const firstWaitMs = 1_000;
/** This is also the longest time until the platform notices that an endpoint works again. */
const longestWaitMs = 15_000;

export type Passage = 'all' | 'probe' | 'none';

/** Paused: the operator answered 429, but otherwise works. */
export const circuitStates = ['closed', 'paused', 'open', 'probing'] as const;
export type CircuitState = (typeof circuitStates)[number];

export interface CircuitCondition {
  state: CircuitState;
  /** How long it has been open or probing, in milliseconds; null if it is neither. */
  open_for_ms: number | null;
  /** Milliseconds until a call is allowed, which may be a probe; null if calls are allowed now. */
  next_call_in_ms: number | null;
}

export class Circuit {
  #failures = 0;
  #waitMs = firstWaitMs;
  #openUntil = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #openSince: number | null = null;

  /** @param now milliseconds of a monotonic clock; the same clock in every call */
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
    // Calls that were open when the circuit opened add no information.
    if (this.#failures < failuresToOpen || now < this.#openUntil) return;
    this.#openSince ??= now;
    this.#openUntil = now + this.#waitMs;
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
  }

  /** Pauses calls because the operator answered 429 with a Retry-After. */
  pause(now: number, ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
  }
}
