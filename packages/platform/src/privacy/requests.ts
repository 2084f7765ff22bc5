import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { type ErasureKeys, playerHash } from '../ledger/index.ts';
import { type ErasureRow, insertErasure } from './erasure-store.ts';

/** Requests the erasure of a player; a worker begins within a second. A repeated request returns the same erasure. */
export function requestErasure(
  db: Pool | ClientBase,
  keys: ErasureKeys,
  request: { brand_id: number; player_id: number; user_id: string; forced: boolean; at: Micros },
): Promise<ErasureRow> {
  const { brand_id, user_id } = request;
  const user_key = Buffer.from(keys.erasureKey(brand_id, playerHash(brand_id, user_id)), 'base64');
  return insertErasure(db, { ...request, user_key });
}
