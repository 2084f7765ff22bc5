/*
 * How many calls run at once: a bulkhead per place (an operator's endpoint, a host, a provider). A place that hangs fills its own slots
 * and no others.
 *
 * Places may share a group. Then the group has a limit of its own, which its places reach together: thousands of hosts that are
 * silent take no more than the group has.
 */
export interface Place {
  /** Calls at once. 0: none, as while a circuit is open. */
  limit: number;
  /**
   * Rows that are due there, where the runner has counted them: slots are granted for these only. Required of a place with a group:
   * one at which nothing is due would otherwise keep the group's slots from the places behind it.
   */
  due?: number;
  group?: Group | undefined;
}

export interface Group {
  name: string;
  /** Calls at once of all its places together. */
  limit: number;
}

export interface Granted<P> {
  place: P;
  name: string;
  free: number;
}

/** Who is told when a slot is free again. */
export interface Freed {
  /** More is due there than the last grant could begin, so another look is worth its cost. */
  isWanted: boolean;
}

export class Slots<P extends Place> {
  readonly #keyOf: (place: P) => string;
  readonly #taken = new Map<string, number>();
  readonly #takenOfGroup = new Map<string, number>();
  /** The last grant of these was used up: more is likely due there. With their limits. */
  readonly #brimful = new Map<string, number>();
  /** In these groups a place got nothing because the group was full. */
  #crowded = new Set<string>();

  constructor(keyOf: (place: P) => string) {
    this.#keyOf = keyOf;
  }

  taken(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  get inUse(): number {
    return [...this.#taken.values()].reduce((sum, taken) => sum + taken, 0);
  }

  /**
   * Slots that may be filled now, in the order of the places.
   *
   * @param onPassedOver told of each place that got nothing only because others of its group came before it
   */
  grant(places: Iterable<P>, onPassedOver: (place: P) => void = () => {}): Granted<P>[] {
    const left = new Map<string, number>();
    const granted: Granted<P>[] = [];
    this.#crowded = new Set();
    for (const place of places) {
      const { limit, due = Number.POSITIVE_INFINITY, group } = place;
      const name = this.#keyOf(place);
      if (group !== undefined && place.due === undefined)
        throw new Error(`${name} has a group, and does not say what is due`);
      const own = Math.min(due, limit - this.taken(name));
      if (own <= 0) continue;
      const ofGroup = this.#leftIn(group, left);
      const free = Math.min(own, ofGroup);
      if (group !== undefined && free < own) this.#crowded.add(group.name);
      if (free <= 0) {
        onPassedOver(place);
        continue;
      }
      if (group !== undefined) left.set(group.name, ofGroup - free);
      granted.push({ place, name, free });
    }
    return granted;
  }

  /**
   * Remembers which grants were used up, once what was claimed has taken its slots.
   *
   * @returns whether slots of a crowded group were granted for nothing, as somebody else was faster: then another round can use them
   */
  remember(granted: readonly Granted<P>[], claimedOf: ReadonlyMap<string, number>): boolean {
    let isUnused = false;
    for (const { place, name, free } of granted) {
      if (claimedOf.get(name) === free) {
        this.#brimful.set(name, place.limit);
        continue;
      }
      this.#brimful.delete(name);
      if (place.group !== undefined && this.#crowded.has(place.group.name)) isUnused = true;
    }
    return isUnused;
  }

  /** @returns gives the slot back; a second time it does nothing. */
  take(name: string, group?: Group): () => Freed {
    this.#add(this.#taken, name, 1);
    if (group !== undefined) this.#add(this.#takenOfGroup, group.name, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return { isWanted: false };
      isTaken = false;
      this.#add(this.#taken, name, -1);
      if (group !== undefined) this.#add(this.#takenOfGroup, group.name, -1);
      const isWanted = (group !== undefined && this.#crowded.has(group.name)) || this.#isWorthALook(name);
      // So nothing is remembered of a place at which nothing is under way.
      if (this.taken(name) === 0) this.#brimful.delete(name);
      return { isWanted };
    };
  }

  /** One look for each quarter of the slots that came free, not one for each slot: claiming four rows costs as much as one. */
  #isWorthALook(name: string): boolean {
    const limit = this.#brimful.get(name);
    return limit !== undefined && limit - this.taken(name) >= Math.ceil(limit / 4);
  }

  #leftIn(group: Group | undefined, left: ReadonlyMap<string, number>): number {
    if (group === undefined) return Number.POSITIVE_INFINITY;
    return left.get(group.name) ?? group.limit - (this.#takenOfGroup.get(group.name) ?? 0);
  }

  #add(counts: Map<string, number>, name: string, change: 1 | -1): void {
    const count = (counts.get(name) ?? 0) + change;
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
  }
}
