import { type EndpointCircuits, slotsToWrite } from '../../operator/calling/index.ts';
import type { WantedIntents } from './claim-store.ts';
import { type IntentKind, intentKinds } from './intent.ts';
import { endpointOf } from './request.ts';

/** Which bonus calls may begin: a bulkhead per operator and endpoint, so that one that hangs fills its own slots and nobody else's. */

export class EndpointSlots {
  readonly circuits: EndpointCircuits;
  readonly #taken = new Map<string, number>();

  constructor(circuits: EndpointCircuits) {
    this.circuits = circuits;
  }

  /** Slots that may be filled now. While an endpoint is down, one probe at a time. */
  free(operators: Iterable<{ brand_id: number; max_connections: number }>): WantedIntents[] {
    return [...operators].flatMap(({ brand_id, max_connections }) =>
      intentKinds.flatMap((kind) => {
        const passage = this.circuits.passage(brand_id, endpointOf[kind]);
        if (passage === 'none') return [];
        const limit = passage === 'probe' ? 1 : slotsToWrite(endpointOf[kind], max_connections);
        const free = limit - this.taken({ brand_id, kind });
        return free > 0 ? [{ brand_id, kind, free }] : [];
      }),
    );
  }

  taken(key: { brand_id: number; kind: IntentKind }): number {
    return this.#taken.get(nameOf(key)) ?? 0;
  }

  take(key: { brand_id: number; kind: IntentKind }): void {
    this.#taken.set(nameOf(key), this.taken(key) + 1);
  }

  give(key: { brand_id: number; kind: IntentKind }): void {
    const left = this.taken(key) - 1;
    if (left > 0) this.#taken.set(nameOf(key), left);
    else this.#taken.delete(nameOf(key));
  }
}

export function nameOf({ brand_id, kind }: { brand_id: number; kind: IntentKind }): string {
  return `${brand_id} ${kind}`;
}
