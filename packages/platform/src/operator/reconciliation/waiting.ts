import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { WaitingCalls } from '../calling/index.ts';

/** The reconciliations of a brand that are waiting or running. */
export async function waitingReconciliations(pool: Pool, brandId: number): Promise<WaitingCalls[]> {
  const { rows } = await pool.query<{ due: number; oldest_due_at: Micros | null }>({
    name: 'waiting_reconciliations',
    text: `select count(*)::int as due, min(requested_at) as oldest_due_at from reconciliation
            where brand_id = $1 and state in ('waiting', 'reading')
           having count(*) > 0`,
    values: [brandId],
  });
  return rows.map((counts) => ({ endpoint: 'reconciliation' as const, retrying: 0, parked: 0, ...counts }));
}
