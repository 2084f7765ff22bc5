/*
 * From which decision_id on a round has to look for what is not sealed.
 *
 * A long transaction elsewhere (a dump) keeps dead index entries from being cleaned, and those of sealed decisions all lie
 * below what is to be sealed: with 240,000 of them a look takes 100 to 150 ms instead of 2 to 25, and a dump of an hour leaves a million.
 * So a round begins where all before it is known to be sealed. A decision that commits late with a low number must not be
 * left below, however long its transaction was:
 *
 *     round n       takes a mark: the newest number given away, and the next transaction id (both from the database)
 *     round n + k   when no transaction below that id is open any more, nothing at or below the mark can still commit. This round
 *                   sees all of it, and seals it; when it is over the mark is the floor, and the next mark is taken.
 *
 * Numbers are given away a moment before their transaction has its id, so a mark's number is that of the round before its id.
 * A transaction that writes and stays open holds the floor where it is; one that only reads, as a dump, does not. Every
 * `fromStartEvery` rounds a round begins at the start nevertheless: the net below what is reckoned here.
 */

/** Five minutes of rounds. */
const fromStartEvery = 60;

/** What the database says at the beginning of a round. */
export interface Horizon {
  /** The newest decision_id given away. */
  newest_id: number;
  /** The next transaction id. */
  next_xid: bigint;
  /** The oldest transaction id that is still open. */
  oldest_xid: bigint;
}

/** Of one sealer: others have floors of their own, which differ in nothing but their speed. */
export class SealFloor {
  #floor = 0;
  #mark: { id: number; xid: bigint } | undefined;
  #previousId: number | undefined;
  #rounds = 0;

  /**
   * Begins a round.
   *
   * @returns `after`: decisions up to there are sealed. `done` is to be called when the round has sealed all brands that had
   * something, and not when it left one to another worker.
   */
  begin({ newest_id, next_xid, oldest_xid }: Horizon): { after: number; done(): void } {
    const after = this.#rounds++ % fromStartEvery === 0 ? 0 : this.#floor;
    const reached = this.#mark !== undefined && oldest_xid >= this.#mark.xid ? this.#mark.id : undefined;
    if (reached !== undefined || this.#mark === undefined) {
      this.#mark = this.#previousId === undefined ? undefined : { id: this.#previousId, xid: next_xid };
    }
    this.#previousId = newest_id;
    return {
      after,
      done: () => {
        if (reached !== undefined) this.#floor = reached;
      },
    };
  }
}
