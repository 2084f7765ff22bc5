import type { Micros } from '@croupier/contracts';
import type { Brand } from '../../../brands/index.ts';
import type { Clock } from '../../../clock.ts';
import type { CallResult } from '../client/operator-client.ts';
import type { OperatorClients } from '../client/operator-clients.ts';
import type { OperatorHealth } from '../health/endpoint-health.ts';
import { judgeList, type OfferedBonus } from './judge-list.ts';

/**
 * - fresh: at most `freshFor` old
 * - stale: older, because the last call to the operator failed; `error` says why
 * - not_offered: the operator has no such list, or the brand has no operator
 * - failed: this process has never read the list, and the last call failed
 */
export type BonusListState = 'fresh' | 'stale' | 'not_offered' | 'failed';

export interface BonusList {
  state: BonusListState;
  bonuses: readonly OfferedBonus[];
  /** Number of entries of the operator's list that cannot be used. */
  left_out: number;
  /** When the list was requested. Null if no request has succeeded. */
  as_of: Micros | null;
  error: { reason: string; detail: string } | null;
}

/** 5 minutes: a list for choosing a bonus need not be current to the second, and a bonus that was just created appears soon. */
const freshFor: Micros = 5 * 60_000_000;
/**
 * 10 seconds: an operator that failed, or has no list, is not called again sooner, because many people may open the list at
 * once.
 */
const askAgainAfter: Micros = 10_000_000;
/** 2 MiB: enough for 5,000 bonuses with long names. */
const maxBytes = 2 * 1024 * 1024;

interface Held {
  list: BonusList;
  asked_at: Micros;
  /** The operator that was called. A list of another address is not used. */
  base_url: string | null;
}

/**
 * The bonuses that an operator offers, for people who choose one: GET /bonus/list (docs/reference/decisions.md 4, optional).
 * Each process keeps the list of a brand for 5 minutes. Concurrent reads share one call. After a failure the last list is
 * returned as stale.
 */
export class BonusLists {
  readonly #clients: Pick<OperatorClients, 'of'>;
  readonly #health: Pick<OperatorHealth, 'record'>;
  readonly #clock: Clock;
  readonly #held = new Map<number, Held>();
  readonly #asking = new Map<number, Promise<BonusList>>();

  constructor(options: { clients: Pick<OperatorClients, 'of'>; health: Pick<OperatorHealth, 'record'>; clock: Clock }) {
    this.#clients = options.clients;
    this.#health = options.health;
    this.#clock = options.clock;
  }

  async read(brand: Brand): Promise<BonusList> {
    const held = this.#held.get(brand.brand_id);
    const isSameOperator = held?.base_url === (brand.operator?.base_url ?? null);
    if (held !== undefined && isSameOperator && this.#clock() - held.asked_at < waitOf(held.list)) return held.list;
    const underWay = this.#asking.get(brand.brand_id);
    if (underWay !== undefined) return underWay;
    const asking = this.#ask(brand, isSameOperator ? held?.list : undefined).finally(() =>
      this.#asking.delete(brand.brand_id),
    );
    this.#asking.set(brand.brand_id, asking);
    return asking;
  }

  async #ask(brand: Brand, before: BonusList | undefined): Promise<BonusList> {
    const asked_at = this.#clock();
    const client = this.#clients.of(brand);
    const list = client === null ? nothing('not_offered') : await this.#call(brand, client, asked_at, before);
    this.#held.set(brand.brand_id, { list, asked_at, base_url: brand.operator?.base_url ?? null });
    return list;
  }

  async #call(
    brand: Brand,
    client: { call(call: { method: 'GET'; path: string[]; maxBytes: number }): Promise<CallResult> },
    as_of: Micros,
    before: BonusList | undefined,
  ): Promise<BonusList> {
    const started = performance.now();
    const result = await client.call({ method: 'GET', path: ['bonus', 'list'], maxBytes });
    const took_ms = performance.now() - started;
    const judged = judgeList(result);
    const failure = judged.outcome === 'failed' ? { reason: judged.reason, detail: judged.detail } : undefined;
    const authenticated = result.answered && result.status !== 401 && result.status !== 403;
    this.#health.record({ brand_id: brand.brand_id, endpoint: 'bonus_list', took_ms, authenticated, failure });
    if (judged.outcome === 'list') {
      const { bonuses, left_out } = judged;
      return { state: 'fresh', bonuses, left_out, as_of, error: null };
    }
    if (failure === undefined) return nothing('not_offered');
    if (before === undefined || before.as_of === null) return { ...nothing('failed'), error: failure };
    return { ...before, state: 'stale', error: failure };
  }
}

function nothing(state: BonusListState): BonusList {
  return { state, bonuses: [], left_out: 0, as_of: null, error: null };
}

function waitOf({ state }: BonusList): Micros {
  return state === 'fresh' ? freshFor : askAgainAfter;
}
