import type { Micros } from '@croupier/contracts';

/*
 * Rate limits: one token bucket per subject, refilled at a constant rate.
 *
 *     tokens:  burst ----call: -1----> 0 ----call: refused, "retry in n s"
 *                ^                     |
 *                '--- per_second ------'
 *
 * A bucket is better for callers than a count per minute: a page may send twenty events when it opens, and a caller that
 * exceeds the limit can retry after a second instead of a minute. Each api process has its own buckets, so three processes
 * allow three times as many calls.
 */
export interface Rate {
  /** Maximum number of calls at once. */
  burst: number;
  per_second: number;
}

/**
 * Maximum number of subjects in memory. Above it, the subjects with the oldest calls are dropped. A dropped subject starts
 * again with a full bucket.
 */
const mostRemembered = 50_000;

interface Bucket {
  tokens: number;
  at: Micros;
}

export class Allowance<Subject extends number | string> {
  readonly #most: number;
  /** Ordered by the time of the last call. The first one is dropped first. */
  readonly #buckets = new Map<Subject, Bucket>();

  constructor(options: { mostRemembered?: number } = {}) {
    this.#most = options.mostRemembered ?? mostRemembered;
  }

  /**
   * Takes one token of the subject.
   * @returns null if there was one; otherwise the whole seconds until there is one, at least 1
   */
  take(subject: Subject, { burst, per_second }: Rate, now: Micros): number | null {
    const held = this.#buckets.get(subject) ?? { tokens: burst, at: now };
    // A clock that is set back neither adds nor removes tokens.
    const passed = Math.max(0, now - held.at) / 1_000_000;
    const tokens = Math.min(burst, held.tokens + passed * per_second);
    const isAllowed = tokens >= 1;
    this.#buckets.delete(subject);
    this.#buckets.set(subject, { tokens: isAllowed ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > this.#most) this.#forgetFirst();
    return isAllowed ? null : Math.max(1, Math.ceil((1 - tokens) / per_second));
  }

  /** Puts the token of a valid call back into the bucket. */
  giveBack(subject: Subject, { burst }: Rate): void {
    const held = this.#buckets.get(subject);
    if (held !== undefined) held.tokens = Math.min(burst, held.tokens + 1);
  }

  #forgetFirst(): void {
    for (const subject of this.#buckets.keys()) {
      this.#buckets.delete(subject);
      return;
    }
  }
}
