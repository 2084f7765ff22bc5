import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { WaitingCalls } from '../calling/index.ts';
import { mostCounted } from '../players/index.ts';
import { writeEndpointOf } from './write-slots.ts';

/**
 * The waiting write-backs of a brand, per endpoint. It counts players, because one call carries all changes of a player.
 * `due` are the write-backs that are due now or open. `retrying` are those that were tried before and wait for their next
 * try.
 */
export async function waitingWrites(pool: Pool, brandId: number): Promise<WaitingCalls[]> {
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
  return rows.map(({ record, ...counts }) => ({ endpoint: writeEndpointOf[record], parked: 0, ...counts }));
}
