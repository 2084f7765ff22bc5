import type { PoolClient } from 'pg';
import type { SiteSignal } from '../../channels/index.ts';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import { endPlayers } from './end-player.ts';

/**
 * An excluded player has no site: what is admitted is refused from the moment the exclusion is known (`standing` in end-store.ts
 * reads it). This closes what is open, and sees to it that no token of before works again when the exclusion ends.
 *
 * @returns signals to poke after the commit.
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
