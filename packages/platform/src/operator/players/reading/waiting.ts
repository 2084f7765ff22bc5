import type { Pool } from 'pg';
import type { WaitingCalls } from '../../calling/index.ts';
import { endpointOf } from '../sync/endpoint-of.ts';
import { readBacklog } from './backlog.ts';

/** The waiting look-ups of a brand, per endpoint. */
export async function waitingLookUps(pool: Pool, brandId: number): Promise<WaitingCalls[]> {
  const backlog = await readBacklog(pool, brandId);
  return backlog.map(({ look_up, ...counts }) => ({ endpoint: endpointOf[look_up], ...counts }));
}
