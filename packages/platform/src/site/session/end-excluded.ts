import type { PoolClient } from 'pg';
import type { SiteSignal } from '../../channels/index.ts';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import { endPlayers } from './end-player.ts';

/**
 * An excluded player cannot use the site: calls are refused as soon as the exclusion is known (`stateSql` in end-store.ts reads
 * it). This function closes open sockets, and ensures that no earlier token works again when the exclusion ends.
 *
 * @returns signals that the caller passes to `SignalSender.poke` after the commit
 */
export async function endExcluded(
  tx: PoolClient,
  transitions: readonly ProtectionTransition[],
): Promise<readonly SiteSignal[]> {
  const excluded = new Map(
    transitions
      .filter(({ kind }) => kind === 'excluded')
      .map(({ brand_id, player_id, at }) => [player_id, { brand_id, player_id, at }]),
  );
  return excluded.size === 0 ? [] : endPlayers(tx, [...excluded.values()], 'session_ended');
}
