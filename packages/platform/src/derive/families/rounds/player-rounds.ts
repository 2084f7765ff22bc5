import { addVersion, arrivalAmong, byPrecedence } from '../../versions.ts';
import { type Activity, sameMoney } from './activity.ts';
import type { ArrivingActivity, ArrivingMessage, PlayerBatch } from './arrival.ts';
import { type Cluster, clustersOf } from './cluster.ts';
import { type Entry, type Place, resolveTogether, setResolution, unresolved } from './entry.ts';
import { type RoundIds, roundName } from './keys.ts';
import { addMessage } from './message.ts';
import type { HeldRound } from './round.ts';

type Arrival = 'new' | 'repeat' | 'conflict';

/**
 * The rounds of one player while a batch is applied: first the loaded rounds, then the arriving events, then the new
 * resolutions of the affected activities. It does not access the database, so everything that may be affected must have
 * been loaded.
 */
export class PlayerRounds {
  readonly places = new Map<string, Place>();
  readonly #batch: PlayerBatch;
  /** Versions by the key of their activity, the one in force first. */
  readonly #versions = new Map<string, Entry[]>();
  /** Versions by identity: what a Rollback and its Approved have in common. */
  readonly #identities = new Map<string, Entry[]>();
  readonly #touchedKeys = new Set<string>();
  readonly #touchedIdentities = new Set<string>();

  constructor(batch: PlayerBatch, loaded: readonly HeldRound[]) {
    this.#batch = batch;
    for (const fact of loaded) this.#load(fact);
    for (const versions of this.#versions.values()) {
      if (versions.length > 1) versions.sort((a, b) => byPrecedence(a.activity, b.activity));
    }
  }

  addActivity(arrival: ArrivingActivity): Arrival {
    const { key, activity } = arrival;
    const held = this.#versions.get(key) ?? [];
    const versions = held.map((entry) => entry.activity);
    const outcome = arrivalAmong(versions, activity, sameMoney);
    const grown = addVersion(versions, activity, sameMoney);
    if (grown === versions) return outcome;
    const retained = grown.map((version) => held.find((entry) => entry.activity === version) ?? this.#enter(arrival));
    for (const entry of held) if (!retained.includes(entry)) this.#leave(entry);
    this.#versions.set(key, retained);
    this.#touchedKeys.add(key);
    return outcome;
  }

  addMessage({ ids, name, round_key, message }: ArrivingMessage): Arrival {
    const place = this.#placeOf(ids, name, round_key);
    const { runs, arrival } = addMessage(place.runs, message);
    place.touched ||= runs !== place.runs;
    place.runs = runs;
    return arrival;
  }

  /** The version in force for the key of an activity. */
  inForce(key: string): Activity | undefined {
    return this.#versions.get(key)?.[0]?.activity;
  }

  /**
   * Resolves every activity that the batch may have changed. With rollback_by_round, `clusters` resolves Rollbacks
   * instead.
   */
  resolve(): void {
    for (const key of this.#touchedKeys) {
      for (const [place, entry] of (this.#versions.get(key) ?? []).entries()) {
        this.#touchedIdentities.add(entry.identity);
        if (place > 0) setResolution(entry, 'superseded');
        else if (entry.activity.resolution === 'superseded') setResolution(entry, unresolved(entry.activity));
      }
    }
    if (this.#batch.settings.rollback_by_round) return;
    for (const identity of this.#touchedIdentities) resolveTogether(this.#identities.get(identity) ?? []);
  }

  /** Splits the events under one round key into rounds. Call it once, after `resolve`. */
  clusters(place: Place): Cluster[] {
    const entries = place.entries.filter((entry) => !entry.gone);
    const activities = entries.map((entry) => entry.activity);
    const clusters = clustersOf(activities, place.runs);
    if (!this.#batch.settings.rollback_by_round) return clusters;
    const entryOf = new Map(entries.map((entry) => [entry.activity, entry]));
    return clusters.map(({ activities, runs }) => {
      const own = activities.flatMap((activity) => entryOf.get(activity) ?? []);
      for (const ofType of Map.groupBy(own, ({ activity }) => activity.type).values()) resolveTogether(ofType);
      return { activities: own.map((entry) => entry.activity), runs };
    });
  }

  #load(fact: HeldRound): void {
    const { round } = fact;
    const place = this.#placeOf(round, roundName(round), round.round_key);
    place.loaded.push(fact);
    place.runs = place.runs.length === 0 ? round.runs : [...place.runs, ...round.runs];
    const { rule } = this.#batch;
    for (const activity of round.activities) {
      const key = rule.key(round, activity);
      const identity = rule.identity(round, activity);
      const entry: Entry = {
        activity,
        place,
        key,
        identity,
        was: activity.resolution,
        gone: false,
        lookups: undefined,
      };
      this.#hold(entry);
      gather(this.#versions, key, entry);
    }
  }

  #enter({ activity, ids, name, round_key, key, lookups }: ArrivingActivity): Entry {
    const place = this.#placeOf(ids, name, round_key);
    const identity = this.#batch.rule.identity(ids, activity);
    const entry: Entry = { activity, place, key, identity, was: undefined, gone: false, lookups };
    place.touched = true;
    this.#hold(entry);
    return entry;
  }

  #hold(entry: Entry): void {
    entry.place.entries.push(entry);
    gather(this.#identities, entry.identity, entry);
  }

  /** Removes a version, because an arriving version with the same money precedes it, or because there are too many versions. */
  #leave(entry: Entry): void {
    entry.gone = true;
    entry.place.touched = true;
    this.#touchedIdentities.add(entry.identity);
  }

  #placeOf({ vendor_id, game_id, round_id }: RoundIds, name: string, round_key: number): Place {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const ids = { vendor_id, game_id, round_id };
    const place: Place = { ids, round_key, loaded: [], entries: [], runs: [], touched: false };
    this.places.set(name, place);
    return place;
  }
}

function gather(groups: Map<string, Entry[]>, name: string, entry: Entry): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, [entry]);
  else group.push(entry);
}
