import type { Brand } from '../../brands/index.ts';
import { type EndpointCircuits, slotsToWrite, type WritingEndpoint } from '../calling/index.ts';
import { type WrittenRecord, writtenRecords } from '../players/index.ts';
import type { WritePlace } from './claim-store.ts';

/**
 * A claim lasts this much longer than its call. This leaves time to begin the call, to write its outcome, and for a
 * short freeze of the process.
 */
const claimMarginMs = 5_000;

export const writeEndpointOf = {
  consents: 'userconsents_write',
  blocks: 'userblocks_write',
} as const satisfies Record<WrittenRecord, WritingEndpoint>;

/**
 * Returns the places for writes. Each record of each operator has its own slots (client/write-slots.ts), so an endpoint that
 * hangs fills only these. Blocks have a place only if the operator accepts them (setting operator.write_blocks). While an
 * endpoint is down, it gets one probe at a time.
 */
export function writePlaces(brands: Iterable<Brand>, circuits: EndpointCircuits): WritePlace[] {
  const places: WritePlace[] = [];
  for (const { brand_id, operator } of brands) {
    if (operator === null) continue;
    for (const record of writtenRecords) {
      if (record === 'blocks' && !operator.write_blocks) continue;
      const endpoint = writeEndpointOf[record];
      const limit = circuits.limit(brand_id, endpoint, slotsToWrite(endpoint, operator.max_connections));
      places.push({ brand_id, record, limit, claim_ms: operator.call_timeout_ms + claimMarginMs });
    }
  }
  return places;
}
