import type { OperatorEndpoint } from '../client/endpoints.ts';
import { Circuit, type CircuitCondition, type Passage } from './circuit.ts';

/*
 * The circuits of one process: one per brand and endpoint, asked by whoever claims work for that endpoint (look-ups, writes,
 * bonus calls, reconciliation). A circuit that lets nobody pass leaves the work where it is: due, unclaimed, with its tries
 * unspent. That is why nothing is lost while it is open, and nothing has to be put back when it closes.
 *
 * Each process learns by itself. Shared through the database, the circuit would be a second behind the calls that it rules, and
 * twenty failures per process cost less than asking it before every claim. What others see of it is circuit-store.ts.
 */

/** What a call taught about its endpoint. */
export interface EndpointLesson {
  /** It did its work, be it by saying no. */
  alive: boolean;
  /** Set when the operator asked to be left alone for so many milliseconds. */
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

  /** @param monotonic milliseconds of a clock that never steps. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  passage(brandId: number, endpoint: OperatorEndpoint): Passage {
    return this.#known.get(`${brandId} ${endpoint}`)?.circuit.passage(this.#monotonic()) ?? 'all';
  }

  /** Calls at once that may be under way now, of so many: none while it is open, one as a probe. */
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

  recordAnswer(brandId: number, endpoint: OperatorEndpoint, { alive, pause_ms }: EndpointLesson): void {
    const circuit = this.#circuitOf(brandId, endpoint);
    const now = this.#monotonic();
    if (alive) circuit.answered();
    else circuit.failed(now);
    if (pause_ms !== undefined) circuit.pause(now, pause_ms);
  }

  /** Those that hold calls back. */
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
