import { Circuit, type OperatorEndpoint, type Passage } from '../../operator/index.ts';

/** What a call taught about its endpoint. */
export interface Lesson {
  /** It did its work, be it by saying no. */
  alive: boolean;
  /** Set when the operator asked to be left alone for a while. */
  pause_ms?: number | undefined;
}

/** Which endpoints are worth calling: one circuit each (operator/sync/circuit.ts), in the memory of this process. */
export class EndpointCircuits {
  readonly #circuits = new Map<string, Circuit>();

  passage(brandId: number, endpoint: OperatorEndpoint): Passage {
    return this.#circuits.get(`${brandId} ${endpoint}`)?.passage(performance.now()) ?? 'all';
  }

  learn(brandId: number, endpoint: OperatorEndpoint, { alive, pause_ms }: Lesson): void {
    const name = `${brandId} ${endpoint}`;
    const circuit = this.#circuits.get(name) ?? new Circuit();
    this.#circuits.set(name, circuit);
    const now = performance.now();
    if (alive) circuit.answered();
    else circuit.failed(now);
    if (pause_ms !== undefined) circuit.pause(now, pause_ms);
  }
}
