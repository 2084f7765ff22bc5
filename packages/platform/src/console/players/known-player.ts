import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { notFound } from '../routing/not-found.ts';
import { findPlayer, type PlayerIdentity } from './store.ts';

/** @throws {Refused} not_found if the brand has no event of this player */
export async function knownPlayer(pool: Pool, brand: Brand, userId: string): Promise<PlayerIdentity> {
  const player = await findPlayer(pool, brand.brand_id, userId);
  if (player === null) throw notFound('player', userId);
  return player;
}
