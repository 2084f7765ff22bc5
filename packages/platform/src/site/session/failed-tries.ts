import { networkOf } from '../../http/network.ts';

/*
 * How many different wrong credentials an address may send. Behind one address of a mobile network sit thousands of players, and
 * nobody's wrong sids may lock out the rest. So the limit costs only the wrong ones:
 *
 *   a credential that was good within the last hours   passes, and is never counted against
 *   one that comes again and was wrong                 counts once; beyond the limit it is refused unheard (429)
 *   one that nobody knows, below the limit             is looked at
 *   one that nobody knows, beyond the limit            waits its turn, five a second: a player who just signed in gets in. One that
 *                                                      turns out to be wrong is answered 429. When 2 s of turns are taken, the
 *                                                      next is refused unheard
 *
 * A page that goes on polling with its expired sid guesses nothing, and its repeats reach the operator every 5 s at most (sid-cache.ts).
 *
 * In memory, per process: it protects this process and the operator behind it, and a flood through four processes is four
 * times as many questions, still bounded.
 */
const windowMs = 60_000;
const mostTries = 60;
/** Between two credentials of an address beyond its limit that are looked at. */
const turnMs = 200;
/** The longest that one waits for its turn. */
const longestWaitMs = 2_000;
/** Addresses remembered; then those whose window began first are forgotten. 600 bytes each at most. */
const maxAddresses = 10_000;

interface Window {
  until: number;
  /** What was tried, a number of 48 bits for each: two that fall together are counted as one, at odds of 1 to 10^11. */
  tried: number[];
  /** When the next turn beyond the limit is free. */
  turnAt: number;
}

/** What happens to a credential that nobody knows. */
export type Turn = { waitMs: number; retryAfterSeconds?: never } | { waitMs?: never; retryAfterSeconds: number };

export class FailedTries {
  readonly #windows = new Map<string, Window>();
  readonly #monotonic: () => number;

  /** @param monotonic milliseconds of a clock that never steps. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** When a credential may be looked at, or the seconds after which to come back. Each call takes a turn. */
  turn(address: string, hash: string): Turn {
    const window = this.#windows.get(networkOf(address));
    const now = this.#monotonic();
    if (window === undefined || !isFull(window, now)) return { waitMs: 0 };
    if (window.tried.includes(numberOf(hash))) return { retryAfterSeconds: Math.ceil((window.until - now) / 1_000) };
    const waitMs = Math.max(0, window.turnAt - now);
    if (waitMs > longestWaitMs) return { retryAfterSeconds: 1 };
    window.turnAt = now + waitMs + turnMs;
    return { waitMs };
  }

  /** The seconds for which wrong credentials of the address are refused; null: it is below the limit. */
  wait(address: string): number | null {
    const window = this.#windows.get(networkOf(address));
    const now = this.#monotonic();
    return window !== undefined && isFull(window, now) ? Math.ceil((window.until - now) / 1_000) : null;
  }

  /** @param hash of the credential that was wrong (`hashOf`). */
  failed(address: string, hash: string): void {
    const network = networkOf(address);
    const now = this.#monotonic();
    const tried = numberOf(hash);
    const window = this.#windows.get(network);
    if (window !== undefined && now < window.until) {
      if (window.tried.length < mostTries && !window.tried.includes(tried)) window.tried.push(tried);
      return;
    }
    this.#windows.delete(network);
    for (const [oldest, { until }] of this.#windows) {
      if (now < until && this.#windows.size < maxAddresses) break;
      this.#windows.delete(oldest);
    }
    this.#windows.set(network, { until: now + windowMs, tried: [tried], turnAt: now });
  }

  get size(): number {
    return this.#windows.size;
  }
}

function isFull({ until, tried }: Window, now: number): boolean {
  return now < until && tried.length >= mostTries;
}

function numberOf(hash: string): number {
  return Buffer.from(hash, 'base64url').readUIntBE(0, 6);
}
