import type { OperatorEndpoint } from '../client/endpoints.ts';
import { Circuit, type CircuitCondition, type Passage } from './circuit.ts';

/*
 * The circuits of one process: one per brand and endpoint. All code that claims work for an endpoint checks its circuit
 * (look-ups, writes, bonus calls, reconciliation). An open circuit leaves the work in its queue: due, unclaimed, with all its tries. So
 * nothing is lost while it is open, and nothing has to be restored when it closes.
 *
 * Each process has its own circuits. A circuit shared through the database would be a second behind the calls that it
 * controls. Twenty failures per process cost less than a query before every claim. circuit-store.ts shows the circuits to
 * other processes.
 */

/** What a call showed about its endpoint. */
export interface EndpointObservation {
  /** The endpoint did its work, even if it refused the request. */
  alive: boolean;
  /** Milliseconds for which the operator wants no calls; set if it asked for a pause. */
  pause_ms?: number | undefined;
}

export interface CircuitReport extends CircuitCondition {
  brand_id: number;
  endpoint: OperatorEndpoint;
}

interface Known {
  brand_id: number;
  endpoint: OperatorEndpoint;
  circuit: Circuit;
}

export class EndpointCircuits {
  readonly #monotonic: () => number;
  readonly #known = new Map<string, Known>();

  /** @param monotonic returns milliseconds of a monotonic clock */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  passage(brandId: number, endpoint: OperatorEndpoint): Passage {
    return this.#known.get(`${brandId} ${endpoint}`)?.circuit.passage(this.#monotonic()) ?? 'all';
  }

  /** How many of `limit` calls may be open now: none while the circuit is open, one as a probe. */
  limit(brandId: number, endpoint: OperatorEndpoint, limit: number): number {
    switch (this.passage(brandId, endpoint)) {
      case 'all':
        return limit;
      case 'probe':
        return Math.min(1, limit);
      default:
        return 0;
    }
  }

  recordAnswer(brandId: number, endpoint: OperatorEndpoint, { alive, pause_ms }: EndpointObservation): void {
    const circuit = this.#circuitOf(brandId, endpoint);
    const now = this.#monotonic();
    if (alive) circuit.answered();
    else circuit.failed(now);
    if (pause_ms !== undefined) circuit.pause(now, pause_ms);
  }

  /** The circuits that hold calls back. */
  notClosed(): CircuitReport[] {
    const now = this.#monotonic();
    return [...this.#known.values()]
      .map(({ brand_id, endpoint, circuit }) => ({ brand_id, endpoint, ...circuit.condition(now) }))
      .filter(({ state }) => state !== 'closed');
  }

  #circuitOf(brand_id: number, endpoint: OperatorEndpoint): Circuit {
    const name = `${brand_id} ${endpoint}`;
    const known = this.#known.get(name);
    if (known) return known.circuit;
    const circuit = new Circuit();
    this.#known.set(name, { brand_id, endpoint, circuit });
    return circuit;
  }
}
