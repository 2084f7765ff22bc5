import type { Brand } from '../../brands/index.ts';
import type { OperatorClients, OperatorHealth } from '../../operator/calling/index.ts';
import { judgeSidAnswer } from './judge-answer.ts';
import type { SidCache, ValidSid } from './sid-cache.ts';

/** Null if invalid. */
export type SidVerdict = ValidSid | null | 'operator_away';

/**
 * Maximum number of open questions per operator. Above it, callers are told to retry. A healthy operator answers this many in a
 * second.
 */
const maxAsking = 200;

/**
 * Asks operators about sids: `POST {operator_base_url}/authenticate` (docs/reference/decisions.md 4). Concurrent checks of one
 * sid share a call, and its answer is cached briefly. Like all endpoints, it has a circuit that stops calls to an operator that
 * fails or does not answer.
 */
export class OperatorSids {
  readonly #clients: Pick<OperatorClients, 'of'>;
  readonly #health: Pick<OperatorHealth, 'record' | 'circuits'>;
  readonly #cache: SidCache;
  readonly #asking = new Map<string, Promise<SidVerdict>>();
  readonly #askingOf = new Map<number, number>();

  constructor(options: {
    clients: Pick<OperatorClients, 'of'>;
    health: Pick<OperatorHealth, 'record' | 'circuits'>;
    cache: SidCache;
  }) {
    this.#clients = options.clients;
    this.#health = options.health;
    this.#cache = options.cache;
  }

  /** The cached answer; undefined if there is none. */
  known(hash: string): ValidSid | null | undefined {
    return this.#cache.get(hash);
  }

  /** Whether the operator's last answer about this sid, within the last hours, was that it is valid. */
  wasGood(hash: string): boolean {
    return this.#cache.wasGood(hash);
  }

  forget(hash: string): void {
    this.#cache.forget(hash);
  }

  /** @param readSnapshot called before the call to the operator, so that an end during the call counts */
  check(brand: Brand, sid: string, hash: string, readSnapshot: () => Promise<string>): Promise<SidVerdict> {
    const underWay = this.#asking.get(hash);
    if (underWay !== undefined) return underWay;
    const ofBrand = this.#askingOf.get(brand.brand_id) ?? 0;
    const passage = this.#health.circuits.passage(brand.brand_id, 'authenticate');
    if (passage === 'none' || (passage === 'probe' && ofBrand > 0) || ofBrand >= maxAsking)
      return Promise.resolve('operator_away');
    this.#askingOf.set(brand.brand_id, ofBrand + 1);
    const asking = this.#ask(brand, sid, hash, readSnapshot).finally(() => {
      this.#asking.delete(hash);
      this.#askingOf.set(brand.brand_id, (this.#askingOf.get(brand.brand_id) ?? 1) - 1);
    });
    this.#asking.set(hash, asking);
    return asking;
  }

  async #ask(brand: Brand, sid: string, hash: string, readSnapshot: () => Promise<string>): Promise<SidVerdict> {
    const client = this.#clients.of(brand);
    if (client === null || brand.operator === null) return 'operator_away';
    const { brand_id, operator } = brand;
    const snapshot = await readSnapshot();
    const started = performance.now();
    const path = operator.authenticate_path.split('/').filter(Boolean);
    const result = await client.call({ method: 'POST', path, body: { sid } });
    const took_ms = performance.now() - started;
    const answer = judgeSidAnswer(result);
    const failure = answer.outcome === 'unknown' ? { reason: answer.reason, detail: answer.detail } : undefined;
    // A refusal may concern the sid or our credentials. Only "valid" proves the credentials. The overview warns if the operator never gives
    // this answer.
    const authenticated = answer.outcome === 'valid';
    this.#health.record({ brand_id, endpoint: 'authenticate', took_ms, authenticated, failure });
    const pause_ms = answer.outcome === 'unknown' ? answer.pause_ms : undefined;
    this.#health.circuits.recordAnswer(brand_id, 'authenticate', {
      alive: failure === undefined || pause_ms !== undefined,
      pause_ms,
    });
    if (answer.outcome === 'unknown') return 'operator_away';
    const verdict = answer.outcome === 'valid' ? { user_id: answer.user_id, snapshot } : null;
    this.#cache.set(hash, verdict);
    return verdict;
  }
}
