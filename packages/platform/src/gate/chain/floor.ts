/*
 * Determines the decision_id from which a round must look for unsealed decisions.
 *
 * While a long transaction, such as a dump, is open elsewhere, PostgreSQL cannot remove dead index entries. The dead entries of sealed
 * decisions all come before the entries of the decisions to be sealed. With 240,000 dead entries, a search from the start takes 100 to 150
 * ms instead of 2 to 25 ms. A dump of an hour leaves a million dead entries. So a round starts at a number up to which everything is known
 * to be sealed. It must not miss a decision with a low number that commits late, however long its transaction took:
 *
 *     round n       takes a mark: the newest assigned number, and the next transaction id (both from the database)
 *     round n + k   when no transaction below that id is open any more, nothing at or below the mark can still commit. This round
 *                   sees all of it, and seals it; afterwards the mark is the floor, and the next mark is taken.
 *
 * A decision gets its number a moment before its transaction gets its id. So a mark combines the transaction id with the number that the
 * previous round had read. While a transaction that writes stays open, the floor does not move. A transaction that only reads, like a
 * dump, does not have this effect. As a safety net, one of every `fromStartEvery` rounds begins at the first decision.
 */

/** Every five minutes. */
const fromStartEvery = 60;

/** The state of the database at the beginning of a round. */
export interface Horizon {
  /** The newest assigned decision_id. */
  newest_id: number;
  /** The next transaction id. */
  next_xid: bigint;
  /** The oldest transaction id that is still open. */
  oldest_xid: bigint;
}

/** The floor of one sealer. Other sealers have their own floors. A floor only affects the speed of its sealer. */
export class SealFloor {
  #floor = 0;
  #mark: { id: number; xid: bigint } | undefined;
  #previousId: number | undefined;
  #rounds = 0;

  /**
   * Begins a round.
   *
   * @returns `after`: decisions up to this number are sealed. Call `done` after the round has sealed all brands with
   *   unsealed decisions, but not if it left one to another worker
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
