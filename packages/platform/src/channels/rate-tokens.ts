/**
 * Calls that may begin now under a rate. Refilled over time, up to the number that may begin in one second. A rate below one per second
 * still needs a whole token.
 */
export class RateTokens {
  #left = 0;
  #filledAt: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(perSecond: number, now: number) {
    this.#filledAt = now;
    this.#left = mostOf(perSecond);
  }

  /** Adds the tokens since the last refill. If the rate has fallen, surplus tokens are lost at once. */
  refill(perSecond: number, now: number): void {
    this.#left = Math.min(mostOf(perSecond), this.#left + ((now - this.#filledAt) / 1_000) * perSecond);
    this.#filledAt = now;
  }

  take(): void {
    this.#left -= 1;
  }

  /** Number of calls that may begin now. */
  get whole(): number {
    return Math.floor(this.#left);
  }
}

/** A worker without a share of the rate gets nothing, not even one call. */
function mostOf(perSecond: number): number {
  return perSecond === 0 ? 0 : Math.max(1, perSecond);
}

/**
 * The part of every provider's rate that this worker may use: 0 to 1. All workers of a cell together have 1, so a provider gets its rate
 * however many workers there are.
 */
export type RateShare = () => number;

export const wholeRate: RateShare = () => 1;
