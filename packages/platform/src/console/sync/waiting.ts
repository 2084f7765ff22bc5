import type { Pool } from 'pg';
import type { WaitingCalls } from '../../operator/calling/index.ts';
import { waitingLookUps } from '../../operator/players/index.ts';
import { waitingReconciliations } from '../../operator/reconciliation/index.ts';
import { waitingWrites } from '../../operator/writeback/index.ts';

/** The calls that currently wait for a brand's operator, per endpoint; the actions stage counts bonus calls. */
export async function readWaitingCalls(pool: Pool, brandId: number): Promise<WaitingCalls[]> {
  const waiting = [waitingLookUps, waitingWrites, waitingReconciliations].map((count) => count(pool, brandId));
  return (await Promise.all(waiting)).flat();
}
