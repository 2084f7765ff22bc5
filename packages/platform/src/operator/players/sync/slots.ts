import { EndpointCircuits, type EndpointLesson, type LookUp, lookUps } from '../../calling/index.ts';
import { endpointOf } from './endpoint-of.ts';
import { type Lane, lanes } from './lane.ts';

/*
 * How many look-ups run at once: a bulkhead per operator, endpoint and lane. An endpoint that hangs fills its own slots
 * and no others.
 *
 * All of an operator's slots together fit into its connection pool (setting max_connections, default 32): 8 live and 2
 * background slots at each of the three endpoints. 8 slots and answers in 20 ms carry about 250 look-ups a second per
 * endpoint; with an operator that needs 200 ms, 35.
 */
export function slotsPerEndpoint(maxConnections: number): Record<Lane, number> {
  const all = Math.max(2, Math.floor(maxConnections / lookUps.length));
  const background = Math.max(1, Math.floor(all / 4));
  return { [lanes.live]: all - background, [lanes.background]: background };
}

export interface EndpointKey {
  brand_id: number;
  look_up: LookUp;
}

export interface SlotKey extends EndpointKey {
  lane: Lane;
}

/** Slots that may be filled now. */
export interface FreeSlots extends SlotKey {
  free: number;
}

export class Slots {
  #taken = new Map<string, number>();
  #circuits: EndpointCircuits;

  constructor(circuits: EndpointCircuits = new EndpointCircuits()) {
    this.#circuits = circuits;
  }

  free(operators: Iterable<{ brand_id: number; max_connections: number }>): FreeSlots[] {
    const free: FreeSlots[] = [];
    for (const { brand_id, max_connections } of operators) {
      const limits = slotsPerEndpoint(max_connections);
      for (const look_up of lookUps) {
        const passage = this.#circuits.passage(brand_id, endpointOf[look_up]);
        if (passage === 'none') continue;
        for (const lane of Object.values(lanes)) {
          const limit = passage === 'probe' ? 1 : limits[lane];
          const left = limit - this.taken({ brand_id, look_up, lane });
          if (left > 0) free.push({ brand_id, look_up, lane, free: left });
        }
      }
    }
    return free;
  }

  taken(key: SlotKey): number {
    return this.#taken.get(nameOf(key)) ?? 0;
  }

  take(key: SlotKey): void {
    this.#taken.set(nameOf(key), this.taken(key) + 1);
  }

  give(key: SlotKey): void {
    const left = this.taken(key) - 1;
    if (left > 0) this.#taken.set(nameOf(key), left);
    else this.#taken.delete(nameOf(key));
  }

  /** What a call taught about its endpoint. */
  learn({ brand_id, look_up }: EndpointKey, lesson: EndpointLesson): void {
    this.#circuits.learn(brand_id, endpointOf[look_up], lesson);
  }
}

export function nameOf({ brand_id, look_up, lane }: SlotKey): string {
  return `${brand_id} ${look_up} ${lane}`;
}
