import { seededRandom } from '../../packages/sandbox/src/random.ts';

/** Calls that arrived completely, and those of them with a fault. */
export interface Troubled {
  calls: number;
  faults: number;
}

/** The faults of the calls of some channels: drawn by their shares, and counted. */
export class Troubles<Channel extends string> {
  readonly counts: Readonly<Record<Channel, Troubled>>;
  readonly #random;
  #isHealthy = false;

  constructor(seed: string, channels: readonly Channel[]) {
    this.#random = seededRandom(seed);
    this.counts = Object.fromEntries(channels.map((channel) => [channel, { calls: 0, faults: 0 }])) as Record<
      Channel,
      Troubled
    >;
  }

  /** Call it once for each call. @returns its fault; undefined if it has none */
  draw<Name extends string>(channel: Channel, shares: Readonly<Record<Name, number>>): Name | undefined {
    this.counts[channel].calls++;
    if (this.#isHealthy) return undefined;
    let place = this.#random.next();
    for (const [name, share] of Object.entries(shares) as [Name, number][]) {
      place -= share;
      if (place >= 0) continue;
      this.counts[channel].faults++;
      return name;
    }
    return undefined;
  }

  /** From now on, no call has a fault. */
  heal(): void {
    this.#isHealthy = true;
  }
}

/** Answers that are given later. */
export class Later implements Disposable {
  readonly #timers = new Set<NodeJS.Timeout>();

  run(afterMs: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, afterMs);
    this.#timers.add(timer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
