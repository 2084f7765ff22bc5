import type { ReadableEvent } from '../read.ts';
import { playerOf } from './narrow.ts';

/** If there are more suspects than this, the failures probably have one common cause. Then every batch is narrowed down anyway. */
const maxSuspects = 1_000;

/**
 * Players whose latest events included one that could not be applied. Their next events are applied separately.
 * Otherwise a player whose every event fails would make every batch fail as a whole, which costs 100 tries instead of
 * two.
 *
 * The suspects are only a hint that saves tries. They do not affect any result, so they are kept in memory.
 */
export class Suspects {
  readonly #players = new Set<string>();

  /** Separates the events that will probably be applied together from those of suspects. */
  separate(events: readonly ReadableEvent[]): [others: ReadableEvent[], suspects: ReadableEvent[]] {
    if (this.#players.size === 0) return [[...events], []];
    const { others = [], suspects = [] } = Object.groupBy(events, (event) =>
      this.#players.has(playerOf(event)) ? 'suspects' : 'others',
    );
    return [others, suspects];
  }

  /** Updates the suspects. Call it after the commit with the events that were tried, and those that failed. */
  recordAnswer(tried: readonly ReadableEvent[], failed: readonly ReadableEvent[]): void {
    if (this.#players.size > 0) for (const event of tried) this.#players.delete(playerOf(event));
    for (const event of failed) {
      if (this.#players.size >= maxSuspects) return;
      this.#players.add(playerOf(event));
    }
  }
}
