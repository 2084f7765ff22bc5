import { isDeepStrictEqual } from 'node:util';
import type { Brand, OperatorSettings } from '../../../brands/index.ts';
import type { Service } from '../../../service.ts';
import type { OperatorHealth } from '../health/endpoint-health.ts';
import { type OperatorAddress, OperatorClient } from './operator-client.ts';

/** One client per brand in this process, created at its first use and replaced when the brand's operator settings change. */
export class OperatorClients implements Service {
  #clients = new Map<number, { address: OperatorAddress; client: OperatorClient }>();
  #closing = new Set<Promise<void>>();
  #health: OperatorHealth;

  constructor(options: { health: OperatorHealth }) {
    this.#health = options.health;
  }

  async start(): Promise<void> {}

  /** The client of a brand's operator; null if none is configured. */
  of(brand: Pick<Brand, 'brand_id' | 'operator'>): OperatorClient | null {
    const held = this.#clients.get(brand.brand_id);
    if (brand.operator === null) {
      if (held) this.#drop(brand.brand_id, held.client);
      return null;
    }
    const address = addressOf(brand.operator);
    if (held && isDeepStrictEqual(held.address, address)) return held.client;
    if (held) this.#drop(brand.brand_id, held.client);
    const { brand_id } = brand;
    const client = new OperatorClient(address, ({ took_ms, failure }) => {
      const authenticated = failure === undefined;
      this.#health.record({ brand_id, endpoint: 'token', took_ms, authenticated, failure });
    });
    this.#clients.set(brand.brand_id, { address, client });
    return client;
  }

  /** Cuts all open calls. */
  async stop(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all([...clients.map(({ client }) => client.destroy()), ...this.#closing]);
  }

  /** Open calls finish with the old settings. */
  #drop(brandId: number, client: OperatorClient): void {
    this.#clients.delete(brandId);
    const closing = client.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function addressOf(operator: OperatorSettings): OperatorAddress {
  const { base_url, auth, connect_timeout_ms, call_timeout_ms, max_connections } = operator;
  return { base_url, auth, connect_timeout_ms, call_timeout_ms, max_connections };
}
