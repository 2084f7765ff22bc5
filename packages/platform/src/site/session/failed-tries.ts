import { networkOf } from '../../http/network.ts';

/*
 * How many different wrong credentials an address may send before its next unknown one is refused unheard (429). What is known to be
 * good passes all the while: behind one address of a mobile network sit thousands of players, and one of them must not lock out the
 * rest. For that reason one that comes again counts once: a page that goes on polling with its expired sid guesses nothing, and its
 * repeats reach the operator every 5 s at most (sid-cache.ts).
 *
 * In memory, per process: it protects this process and the operator behind it, and a flood through four processes is four
 * times as many questions, still bounded.
 */
const windowMs = 60_000;
const mostTries = 60;
/** Addresses remembered; then those whose window began first are forgotten. 600 bytes each at most. */
const maxAddresses = 10_000;

interface Window {
  until: number;
  /** What was tried, a number of 48 bits for each: two that fall together are counted as one, at odds of 1 to 10^11. */
  tried: number[];
}

export class FailedTries {
  readonly #windows = new Map<string, Window>();
  readonly #monotonic: () => number;

  /** @param monotonic milliseconds of a clock that never steps. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Null: the credential may be looked at. Else the seconds until one may. */
  wait(address: string): number | null {
    const window = this.#windows.get(networkOf(address));
    const left = (window?.until ?? 0) - this.#monotonic();
    return window === undefined || left <= 0 || window.tried.length < mostTries ? null : Math.ceil(left / 1_000);
  }

  /** @param hash of the credential that was wrong (`hashOf`). */
  failed(address: string, hash: string): void {
    const network = networkOf(address);
    const now = this.#monotonic();
    const tried = Buffer.from(hash, 'base64url').readUIntBE(0, 6);
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
    this.#windows.set(network, { until: now + windowMs, tried: [tried] });
  }

  get size(): number {
    return this.#windows.size;
  }
}
