import type { Bucket } from '../ledger/index.ts';

/*
 * Decides which lane of a worker takes which buckets for its next step.
 *
 *             a step with `crowdEvents` or more
 *   calm -----------------------------------------> crowded
 *        <-----------------------------------------
 *             the last steps of all lanes together had fewer than `calmEvents`
 *
 * - calm: the first lane takes all buckets. A batch costs about fifty statements however few events it has, so one
 *   batch with everything that arrived in the meantime is fastest. Several lanes would only compete for the cores.
 * - crowded: each lane takes its share. Batches are large, and one lane works in this process while another waits for
 *   the database.
 *
 * A lane holds a bucket from the beginning of a step until it knows how the step ended, and no other lane takes it
 * meanwhile. So two lanes never apply events of one bucket at the same time, even if it changes lanes.
 */
const crowdEvents = 500;
const calmEvents = 200;

export class BucketShares {
  readonly #lanes: number;
  readonly #onFree: () => void;
  readonly #inHand: Set<Bucket>[];
  /** The number of events in the last step of each lane. */
  readonly #lastEvents: number[];
  #isCrowded = false;

  /** @param onFree called when buckets become free for another lane, which may have found none before and should try again */
  constructor(lanes: number, onFree: () => void) {
    this.#lanes = lanes;
    this.#onFree = onFree;
    this.#inHand = Array.from({ length: lanes }, () => new Set<Bucket>());
    this.#lastEvents = new Array<number>(lanes).fill(0);
  }

  /** Releases the buckets that the lane holds, and takes those that it should work on now. */
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

  /** Called when a batch has ended and its outcome is known. */
  done(lane: number, events: number): void {
    // When a backlog starts, the load of the other lanes is unknown. Until its first step, each of them counts as having as many events as
    // this lane.
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
