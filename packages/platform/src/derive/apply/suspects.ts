import type { ReadableEvent } from '../read.ts';
import { playerOf } from './narrow.ts';

/** More players than this with failing events are one trouble, not many: every batch is narrowed down anyway. */
const maxSuspects = 1_000;

/**
 * Players whose last events had one that could not be applied. Their next events are tried apart from everybody else's:
 * a player of whom every event fails would otherwise make every batch fail as a whole, at 100 tries instead of two.
 *
 * A hint that costs nothing when it is wrong, so it is kept in memory only.
 */
export class Suspects {
  readonly #players = new Set<string>();

  /** Events that are likely to be applied together, and those of suspects. */
  apart(events: readonly ReadableEvent[]): [others: ReadableEvent[], suspects: ReadableEvent[]] {
    if (this.#players.size === 0) return [[...events], []];
    const { others = [], suspects = [] } = Object.groupBy(events, (event) =>
      this.#players.has(playerOf(event)) ? 'suspects' : 'others',
    );
    return [others, suspects];
  }

  /** To be told after the commit which events were tried, and which of them failed. */
  recordAnswer(tried: readonly ReadableEvent[], failed: readonly ReadableEvent[]): void {
    if (this.#players.size > 0) for (const event of tried) this.#players.delete(playerOf(event));
    for (const event of failed) {
      if (this.#players.size >= maxSuspects) return;
      this.#players.add(playerOf(event));
    }
  }
}
