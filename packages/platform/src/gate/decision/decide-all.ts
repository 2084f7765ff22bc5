import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { awaitAll } from '../../database/index.ts';
import { playersAwaitingUpdate } from '../../derive/index.ts';
import { type ProtectionFacts, readProtectionFacts } from '../../operator/protection/index.ts';
import { readReconciliationAges } from '../../operator/reconciliation/index.ts';
import type { ContactRequest } from '../request.ts';
import { decide, type Verdict } from './decide.ts';
import type { Reconciled } from './freshness.ts';

/** The dependencies of the gate, and of the code that explains its decisions. */
export interface GateDeps {
  clock: Clock;
  brands: { byId(brandId: number): Pick<Brand, 'settings'> | undefined };
}

/** The value for a brand that this process does not know, or no longer knows, although contacts of the brand wait. */
const defaultFactAgeHours = 24;

type Asked = Pick<ContactRequest, 'brand_id' | 'player_id' | 'channel' | 'purpose' | 'expires_at'>;

export interface Judged<R extends Asked = Asked> {
  request: R;
  verdict: Verdict;
  /** Undefined if the player does not exist. */
  facts: ProtectionFacts | undefined;
}

/**
 * Reads what is known about all players at once, and decides. Writes nothing.
 *
 * It reads the ages of reconciliations before the facts. Otherwise an old value could be combined with the age of a later
 * reconciliation, and count as newer than it is. It also reads the updates that are not applied yet before the facts. So if an
 * update is applied in between, the facts contain it. One connection runs the three statements in this order.
 */
export async function decideAll<R extends Asked>(
  db: ClientBase,
  requests: readonly R[],
  { brands }: Pick<GateDeps, 'brands'>,
  now: Micros,
): Promise<Judged<R>[]> {
  const playerIds = requests.map(({ player_id }) => player_id);
  const [ages, awaiting, known] = await awaitAll([
    readReconciliationAges(db, [...new Set(requests.map((one) => one.brand_id))]),
    playersAwaitingUpdate(db, playerIds),
    readProtectionFacts(db, playerIds),
  ]);
  const reconciled = new Map<number, Reconciled>();
  for (const { brand_id, field, as_of } of ages) {
    reconciled.set(brand_id, { ...reconciled.get(brand_id), [field]: as_of });
  }
  return requests.map((request) => {
    const found = known.get(request.player_id);
    const facts = found?.brand_id === request.brand_id ? found : undefined;
    const fact_age_hours = brands.byId(request.brand_id)?.settings.fact_age_hours ?? defaultFactAgeHours;
    const reconciledFields = reconciled.get(request.brand_id) ?? {};
    const update_pending = awaiting.has(request.player_id);
    const on = { request, reconciled: reconciledFields, now, fact_age_hours, update_pending };
    return { request, facts, verdict: decide(facts, on) };
  });
}
