import type { PoolClient } from 'pg';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import { insertNews } from '../news/store.ts';

/**
 * Writes news for players who are now excluded or blocked. The follower 'campaigns' of protection transitions calls this. The
 * lane then ends each run. Until then, the gate withholds contacts.
 */
export async function insertProtectionNews(
  tx: PoolClient,
  transitions: readonly ProtectionTransition[],
): Promise<void> {
  const news = transitions.flatMap(({ player_id, brand_id, kind, at }) =>
    kind === 'excluded' || kind === 'blocked'
      ? [{ player_id, brand_id, news: { type: 'protected' as const, reason: kind, at } }]
      : [],
  );
  await insertNews(tx, news);
}
