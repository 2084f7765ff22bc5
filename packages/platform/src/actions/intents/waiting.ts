import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type IntentKind, intentKinds } from './intent.ts';
import { mostIntentsCounted } from './listing.ts';
import { endpointOf } from './request.ts';

/** Calls that wait for a bonus endpoint of a brand's operator. No figure exceeds `mostIntentsCounted`. */
export interface WaitingBonusCalls {
  endpoint: (typeof endpointOf)[IntentKind];
  /** Due now. */
  due: number;
  oldest_due_at: Micros | null;
  /** Waiting for their next try, or for information that the gate needs. */
  retrying: number;
}

export async function readWaitingBonusCalls(pool: Pool, brandId: number): Promise<WaitingBonusCalls[]> {
  const { rows } = await pool.query<Omit<WaitingBonusCalls, 'endpoint'> & { kind: IntentKind }>({
    name: 'waiting_bonus_calls',
    text: `select k.kind, w.due, w.oldest_due_at, w.retrying
             from unnest($2::text[]) with ordinality as k (kind, place)
            cross join lateral (
              select count(*) filter (where not later)::int as due, min(due_at) filter (where not later) as oldest_due_at,
                     count(*) filter (where later)::int as retrying
                from (select due_at, due_at > now() and claim is null as later from bonus_intent i
                       where i.brand_id = $1 and i.kind = k.kind and i.due_for = 'call'
                       order by due_at limit $3) waiting
            ) w
            where w.due + w.retrying > 0 order by k.place`,
    values: [brandId, intentKinds, mostIntentsCounted],
  });
  return rows.map(({ kind, ...counts }) => ({ endpoint: endpointOf[kind], ...counts }));
}
