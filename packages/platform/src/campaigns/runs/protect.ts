import type { PoolClient } from 'pg';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import { insertNews } from '../news/store.ts';

/**
 * Tells the runs of players who are excluded or blocked now. Handler of the follower 'campaigns' of protection transitions; the lane then
 * takes each run out. Meanwhile the gate withholds.
 */
export async function tellProtected(tx: PoolClient, transitions: readonly ProtectionTransition[]): Promise<void> {
  const news = transitions.flatMap(({ player_id, brand_id, kind, at }) =>
    kind === 'excluded' || kind === 'blocked'
      ? [{ player_id, brand_id, news: { type: 'protected' as const, reason: kind, at } }]
      : [],
  );
  await insertNews(tx, news);
}
