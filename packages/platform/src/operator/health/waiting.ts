import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { OperatorEndpoint } from '../client/endpoints.ts';
import { mostCounted, readBacklog } from '../reading/backlog.ts';
import { endpointOf } from '../sync/endpoint-of.ts';
import { writeEndpointOf } from '../writeback/write-slots.ts';

/** Calls that wait for an endpoint. No figure exceeds `mostCounted`, which thus means "that many or more". */
export interface WaitingCalls {
  endpoint: OperatorEndpoint;
  /** Due now, or under way. */
  due: number;
  oldest_due_at: Micros | null;
  /** Waiting for their next try. */
  retrying: number;
  /** Of players whom the operator does not know. */
  parked: number;
}

/** What this stage wants of a brand's operator. Bonus calls belong to the actions, who count them themselves. */
export async function readWaitingCalls(pool: Pool, brandId: number): Promise<WaitingCalls[]> {
  const [lookUps, writes, reconciliations] = await Promise.all([
    readBacklog(pool, brandId),
    waitingWrites(pool, brandId),
    waitingReconciliations(pool, brandId),
  ]);
  return [
    ...lookUps.map(({ look_up, ...counts }) => ({ endpoint: endpointOf[look_up], ...counts })),
    ...writes.map(({ record, ...counts }) => ({ endpoint: writeEndpointOf[record], parked: 0, ...counts })),
    ...reconciliations.map((counts) => ({ endpoint: 'reconciliation' as const, retrying: 0, parked: 0, ...counts })),
  ];
}

/** By players: all that a player has changed goes in one call. One that was tried has a due time ahead, or the end of a claim. */
async function waitingWrites(pool: Pool, brandId: number) {
  const { rows } = await pool.query<{
    record: keyof typeof writeEndpointOf;
    due: number;
    oldest_due_at: Micros | null;
    retrying: number;
  }>({
    name: 'waiting_writes',
    text: `select record, count(*) filter (where not later)::int as due,
                  min(due_at) filter (where not later) as oldest_due_at, count(*) filter (where later)::int as retrying
             from (select record, due_at, due_at > now() and claim is null as later from write_back
                    where brand_id = $1 and due_at is not null limit ${mostCounted}) waiting
            group by record order by record`,
    values: [brandId],
  });
  return rows;
}

async function waitingReconciliations(pool: Pool, brandId: number) {
  const { rows } = await pool.query<{ due: number; oldest_due_at: Micros | null }>({
    name: 'waiting_reconciliations',
    text: `select count(*)::int as due, min(requested_at) as oldest_due_at from reconciliation
            where brand_id = $1 and state in ('waiting', 'reading')
           having count(*) > 0`,
    values: [brandId],
  });
  return rows;
}
