import type { Micros } from '@croupier/contracts';

/*
 * How often somebody may do something: a bucket of tokens per subject, refilled steadily.
 *
 *     tokens:  burst ----call: -1----> 0 ----call: refused, "come back in n s"
 *                ^                     |
 *                '--- per_second ------'
 *
 * A bucket rather than a count per minute: a page that sends twenty events when it opens is nothing bad, and who overdoes it is let in
 * again after a second instead of a minute. Counts are of one api process; several allow as many times more.
 */
export interface Rate {
  /** Calls at once. */
  burst: number;
  per_second: number;
}

/** Subjects remembered; beyond it those who called least recently start anew with a full bucket. */
const mostRemembered = 50_000;

interface Bucket {
  tokens: number;
  at: Micros;
}

export class Allowance<Subject extends number | string> {
  readonly #most: number;
  /** In the order of the last call: the first is the one to forget. */
  readonly #buckets = new Map<Subject, Bucket>();

  constructor(options: { mostRemembered?: number } = {}) {
    this.#most = options.mostRemembered ?? mostRemembered;
  }

  /** Takes one token of the subject. @returns null when there was one, else the whole seconds until there is, at least 1. */
  take(subject: Subject, { burst, per_second }: Rate, now: Micros): number | null {
    const held = this.#buckets.get(subject) ?? { tokens: burst, at: now };
    // A clock that steps back gives nothing, and takes nothing.
    const passed = Math.max(0, now - held.at) / 1_000_000;
    const tokens = Math.min(burst, held.tokens + passed * per_second);
    const isAllowed = tokens >= 1;
    this.#buckets.delete(subject);
    this.#buckets.set(subject, { tokens: isAllowed ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > this.#most) this.#forgetFirst();
    return isAllowed ? null : Math.max(1, Math.ceil((1 - tokens) / per_second));
  }

  /** Gives back what a call took that turned out to be good. */
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
