import { networkOf } from '../../http/network.ts';

/*
 * Limits the number of different wrong credentials per address. Thousands of players share one address of a mobile network, and
 * one player's wrong sids must not lock out the others. So the limit affects only wrong credentials:
 *
 *   a credential that was good within the last hours   passes, and is never counted
 *   a wrong one that is repeated                       counts once; above the limit it is refused without a check (429)
 *   an unknown one, below the limit                    is checked
 *   an unknown one, above the limit                    waits its turn, five a second, so a player who just signed in gets in. One that
 *                                                      is wrong is answered 429. When 2 s of turns are taken, the next is refused
 *                                                      without a check
 *
 * A page that keeps polling with its expired sid is not guessing. Its repeated calls reach the operator every 5 s at most
 * (sid-cache.ts).
 *
 * The state is in the memory of each process. It protects this process and the operator behind it; a flood through four
 * processes causes four times as many calls, which is still limited.
 */
const windowMs = 60_000;
const mostTries = 60;
/** Interval between two checked credentials of an address above its limit. */
const turnMs = 200;
/** The longest that a credential waits for its turn. */
const longestWaitMs = 2_000;
/** Maximum number of addresses in memory; above it, those whose window started first are dropped. At most 600 bytes each. */
const maxAddresses = 10_000;

interface Window {
  until: number;
  /** The tried credentials, a 48-bit number for each: the chance that two collide and count as one is 1 in 10^11. */
  tried: number[];
  /** When the next turn above the limit is free. */
  turnAt: number;
}

/** The decision about an unknown credential. */
export type Turn = { waitMs: number; retryAfterSeconds?: never } | { waitMs?: never; retryAfterSeconds: number };

export class FailedTries {
  readonly #windows = new Map<string, Window>();
  readonly #monotonic: () => number;

  /** @param monotonic returns milliseconds of a monotonic clock */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** When a credential may be checked, or the seconds after which to retry. Each call takes a turn. */
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

  /** The seconds for which wrong credentials of the address are refused; null if it is below the limit. */
  wait(address: string): number | null {
    const window = this.#windows.get(networkOf(address));
    const now = this.#monotonic();
    return window !== undefined && isFull(window, now) ? Math.ceil((window.until - now) / 1_000) : null;
  }

  /** @param hash of the wrong credential (`hashOf`) */
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
