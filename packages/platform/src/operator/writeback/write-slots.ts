import type { Brand } from '../../brands/index.ts';
import { type EndpointCircuits, slotsToWrite, type WritingEndpoint } from '../calling/index.ts';
import { type WrittenRecord, writtenRecords } from '../players/index.ts';
import type { WantedWrites } from './claim-store.ts';

/*
 * Which writes may begin: a bulkhead per operator and record (client/write-slots.ts), so that one that hangs fills its own slots
 * and no others.
 */
/** A claim outlasts its call by so much: time to begin it, to write its end, or to be stopped a moment. */
export const claimMarginMs = 5_000;

export const writeEndpointOf = {
  consents: 'userconsents_write',
  blocks: 'userblocks_write',
} as const satisfies Record<WrittenRecord, WritingEndpoint>;

interface SlotKey {
  brand_id: number;
  record: WrittenRecord;
}

export class WriteSlots {
  #circuits: EndpointCircuits;
  #taken = new Map<string, number>();

  constructor(circuits: EndpointCircuits) {
    this.#circuits = circuits;
  }

  /** Slots that may be filled now. Blocks only where the operator takes them (setting operator.write_blocks). */
  free(brands: Iterable<Brand>): WantedWrites[] {
    const free: WantedWrites[] = [];
    for (const { brand_id, operator } of brands) {
      if (operator === null) continue;
      for (const record of writtenRecords) {
        if (record === 'blocks' && !operator.write_blocks) continue;
        const passage = this.#circuits.passage(brand_id, writeEndpointOf[record]);
        const atOnce = slotsToWrite(writeEndpointOf[record], operator.max_connections);
        const limit = passage === 'all' ? atOnce : passage === 'probe' ? 1 : 0;
        const left = limit - this.#takenOf({ brand_id, record });
        if (left > 0) free.push({ brand_id, record, free: left, claim_ms: operator.call_timeout_ms + claimMarginMs });
      }
    }
    return free;
  }

  take(key: SlotKey): void {
    this.#taken.set(nameOf(key), this.#takenOf(key) + 1);
  }

  give(key: SlotKey): void {
    const left = this.#takenOf(key) - 1;
    if (left > 0) this.#taken.set(nameOf(key), left);
    else this.#taken.delete(nameOf(key));
  }

  #takenOf(key: SlotKey): number {
    return this.#taken.get(nameOf(key)) ?? 0;
  }
}

function nameOf({ brand_id, record }: SlotKey): string {
  return `${brand_id} ${record}`;
}
