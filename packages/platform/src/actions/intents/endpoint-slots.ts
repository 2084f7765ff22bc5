import type { Brand } from '../../brands/index.ts';
import { type EndpointCircuits, slotsToWrite } from '../../operator/calling/index.ts';
import type { RunnerPlace } from '../../outgoing/index.ts';
import { claimMs } from './claim-store.ts';
import { type IntentKind, intentKinds } from './intent.ts';
import { endpointOf } from './request.ts';

export interface IntentPlace extends RunnerPlace {
  brand_id: number;
  kind: IntentKind;
}

/**
 * Returns the places for bonus calls. Each endpoint of each operator has its own slots, so an endpoint that hangs fills only
 * these. While an endpoint is down, it gets one probe at a time. A brand without an operator has a place, too, so that its
 * intents record why they wait.
 */
export function intentPlaces(
  brands: Iterable<Pick<Brand, 'brand_id' | 'operator'>>,
  circuits: EndpointCircuits,
): IntentPlace[] {
  return [...brands].flatMap(({ brand_id, operator }) =>
    intentKinds.map((kind) => {
      const endpoint = endpointOf[kind];
      const limit = circuits.limit(brand_id, endpoint, slotsToWrite(endpoint, operator?.max_connections ?? 1));
      return { brand_id, kind, limit, claim_ms: claimMs };
    }),
  );
}
