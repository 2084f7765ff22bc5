/*
 * Limits how many calls run at once, separately for each place (an operator's endpoint, a host, a provider). A place that hangs fills only
 * its own slots.
 *
 * Places may share a group. The limit of the group applies to all its places together, so that thousands of hosts that
 * do not answer take no more slots than the group has.
 */
export interface Place {
  /** Maximum number of open calls. 0 means none, for example while a circuit is open. */
  limit: number;
  /**
   * Number of rows that are due there, if the runner has counted them: slots are granted for these only. Required for a
   * place with a group. Otherwise a place with nothing due would take slots of the group that later places need.
   */
  due?: number;
  group?: Group | undefined;
}

export interface Group {
  name: string;
  /** Maximum number of open calls of all its places together. */
  limit: number;
}

export interface Granted<P> {
  place: P;
  name: string;
  free: number;
}

/** The result of freeing a slot. */
export interface Freed {
  /** True if more rows are probably due and enough slots are free, so that another round is worth its cost. */
  isWanted: boolean;
}

export class Slots<P extends Place> {
  readonly #keyOf: (place: P) => string;
  readonly #taken = new Map<string, number>();
  readonly #takenOfGroup = new Map<string, number>();
  /** Places that used up their last grant, with their limits. More rows are likely due there. */
  readonly #brimful = new Map<string, number>();
  /** Groups in which a place got fewer slots than it could use, because the group was full. */
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
   * Returns the slots that may be filled now, in the order of the places.
   *
   * @param onPassedOver called for each place that got no slots because other places of its group took all of them
   */
  grant(places: Iterable<P>, onPassedOver: (place: P) => void = () => {}): Granted<P>[] {
    const left = new Map<string, number>();
    const granted: Granted<P>[] = [];
    this.#crowded = new Set();
    for (const place of places) {
      const { limit, due = Number.POSITIVE_INFINITY, group } = place;
      const name = this.#keyOf(place);
      if (group !== undefined && place.due === undefined)
        throw new Error(`${name} has a group, so \`due\` is required: count the rows that are due there`);
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
   * Remembers which grants were used up. Call it after the claimed rows have taken their slots.
   *
   * @returns whether slots of a crowded group were not used, because another worker claimed the rows first; another
   * round can use them
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

  /** @returns a function that frees the slot. A second call has no effect. */
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
      // Without open calls, nothing is stored for a place.
      if (this.taken(name) === 0) this.#brimful.delete(name);
      return { isWanted };
    };
  }

  /**
   * Returns whether at least a quarter of the slots is free at a place that used up its last grant. A round for each freed
   * slot would cost too much: claiming four rows costs as much as claiming one.
   */
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
