import { networkOf } from './network.ts';

/*
 * How many wrong credentials an address may send before its next unknown one is refused unheard (429). What is known to be good
 * passes all the while: behind one address of a mobile network sit thousands of players, and one of them must not lock out the rest.
 *
 * In memory, per process: it protects this process and the operator behind it, and a flood through four processes is four
 * times as many questions, still bounded.
 */
const windowMs = 60_000;
/** A page with an expired sid polls some ten times a minute; an office has a few of those. */
const mostTries = 60;
/** Addresses remembered; then those whose window began first are forgotten. 100 bytes each. */
const maxAddresses = 10_000;

export class FailedTries {
  readonly #windows = new Map<string, { until: number; tries: number }>();
  readonly #monotonic: () => number;

  /** @param monotonic milliseconds of a clock that never steps. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Null: the credential may be looked at. Else the seconds until one may. */
  wait(address: string): number | null {
    const window = this.#windows.get(networkOf(address));
    const left = (window?.until ?? 0) - this.#monotonic();
    return window === undefined || left <= 0 || window.tries < mostTries ? null : Math.ceil(left / 1_000);
  }

  failed(address: string): void {
    const network = networkOf(address);
    const now = this.#monotonic();
    const window = this.#windows.get(network);
    if (window !== undefined && now < window.until) {
      window.tries++;
      return;
    }
    this.#windows.delete(network);
    for (const [oldest, { until }] of this.#windows) {
      if (now < until && this.#windows.size < maxAddresses) break;
      this.#windows.delete(oldest);
    }
    this.#windows.set(network, { until: now + windowMs, tries: 1 });
  }

  get size(): number {
    return this.#windows.size;
  }
}
