import type { Bucket } from '../ledger/index.ts';

/*
 * Which lane of a worker takes which buckets for its next step.
 *
 *             a step with `crowdEvents` or more
 *   calm -----------------------------------------> crowded
 *        <-----------------------------------------
 *             the last steps of all lanes together had fewer than `calmEvents`
 *
 *   calm:     the first lane takes all buckets. A batch costs about fifty statements however few events it has, so what comes in the meantime
 *             is derived soonest as one batch: lanes beside each other only take the cores from one another.
 *   crowded:  each lane takes its share. Batches are large, and one lane works in this process while another waits for the database.
 *
 * A bucket is in one lane's hands at a time, whatever the load: from the beginning of a step until the lane knows how the step ended. So a bucket
 * that changes lanes is never applied by two.
 */
const crowdEvents = 500;
const calmEvents = 200;

export class BucketShares {
  readonly #lanes: number;
  readonly #onFree: () => void;
  readonly #inHand: Set<Bucket>[];
  /** Events of the last step of each lane. */
  readonly #lastEvents: number[];
  #isCrowded = false;

  /** @param onFree told when there are buckets to take for a lane that may have found none: it has to look again */
  constructor(lanes: number, onFree: () => void) {
    this.#lanes = lanes;
    this.#onFree = onFree;
    this.#inHand = Array.from({ length: lanes }, () => new Set<Bucket>());
    this.#lastEvents = new Array<number>(lanes).fill(0);
  }

  /** Gives back what the lane has in hand, and takes what it is to work on now. */
  take(lane: number, owned: Iterable<Bucket>): ReadonlySet<Bucket> {
    this.giveBack(lane);
    const isFree = (bucket: Bucket) => this.#inHand.every((others) => !others.has(bucket));
    const taken = new Set([...owned].filter((bucket) => this.#laneOf(bucket) === lane && isFree(bucket)));
    this.#inHand[lane] = taken;
    return taken;
  }

  inHand(lane: number): ReadonlySet<Bucket> {
    return this.#inHand[lane] ?? new Set();
  }

  /** A batch is over, and how it ended is known. */
  done(lane: number, events: number): void {
    // Of the others nothing is known yet when much begins to wait: they count as this one, until their own first step.
    if (!this.#isCrowded && events >= crowdEvents) this.#lastEvents.fill(events);
    this.#lastEvents[lane] = events;
    const all = this.#lastEvents.reduce((sum, one) => sum + one, 0);
    this.#isCrowded = this.#isCrowded ? all >= calmEvents : events >= crowdEvents;
    this.giveBack(lane);
  }

  giveBack(lane: number): void {
    const given = this.inHand(lane);
    this.#inHand[lane] = new Set();
    if ([...given].some((bucket) => this.#laneOf(bucket) !== lane)) this.#onFree();
  }

  #laneOf(bucket: Bucket): number {
    return this.#isCrowded ? bucket % this.#lanes : 0;
  }
}
