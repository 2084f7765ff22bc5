import type { RunnerPlace } from '../../../outgoing/index.ts';
import type { EndpointCircuits } from '../../calling/index.ts';
import { type LookUp, lookUps } from '../../judging/index.ts';
import { endpointOf } from './endpoint-of.ts';
import { type Lane, lanes } from './lane.ts';

/*
 * Limits how many look-ups run at once. Each operator, endpoint and lane has its own slots, so an endpoint that hangs fills
 * only its own slots.
 *
 * All slots of an operator together fit into its connection pool (setting max_connections, default 32): 8 live and 2 background
 * slots at each of the three endpoints. If answers take 20 ms, 8 slots carry about 250 look-ups a second per endpoint. If
 * they take 200 ms, 8 slots carry 35.
 */
export function slotsPerEndpoint(maxConnections: number): Record<Lane, number> {
  const all = Math.max(2, Math.floor(maxConnections / lookUps.length));
  const background = Math.max(1, Math.floor(all / 4));
  return { [lanes.live]: all - background, [lanes.background]: background };
}

export interface LookUpPlace extends RunnerPlace {
  brand_id: number;
  look_up: LookUp;
  lane: Lane;
}

/** A claim outlasts its call by this time. So the answer can still be written if the process was frozen for a moment. */
const claimMarginMs = 5_000;

/** Returns the places for look-ups. While an endpoint is down, it gets one probe at a time. */
export function lookUpPlaces(
  operators: Iterable<{ brand_id: number; max_connections: number; call_timeout_ms: number }>,
  circuits: EndpointCircuits,
): LookUpPlace[] {
  return [...operators].flatMap(({ brand_id, max_connections, call_timeout_ms }) => {
    const limits = slotsPerEndpoint(max_connections);
    return lookUps.flatMap((look_up) =>
      Object.values(lanes).map((lane) => {
        const limit = circuits.limit(brand_id, endpointOf[look_up], limits[lane]);
        return { brand_id, look_up, lane, limit, claim_ms: call_timeout_ms + claimMarginMs };
      }),
    );
  });
}
