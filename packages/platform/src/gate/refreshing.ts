import type { PoolClient } from 'pg';
import { requestLiveLookUps } from '../operator/players/index.ts';
import type { Judged } from './decision/decide-all.ts';
import type { RuledVerdict } from './decision/ruled.ts';
import type { Hold } from './records/hold-store.ts';
import type { ContactRequest } from './request.ts';

/**
 * Asks the operator for what decisions lacked: for contacts that are held, and for an exclusion that is old, so that the next
 * contact meets the truth.
 *
 * Once for each contact: a look-up that fails comes back by its own table of retries, and asking again with every question would
 * start that table anew, for ever at its quickest step.
 */
export async function askForLookUps(
  tx: PoolClient,
  judged: readonly (Omit<Judged<ContactRequest>, 'verdict'> & { verdict: RuledVerdict; hold: Hold | undefined })[],
): Promise<void> {
  const wanted = judged.flatMap(({ request: { player_id, brand_id }, verdict, facts, hold }) => {
    if (facts === undefined || (verdict.outcome !== 'held' && verdict.reason !== 'excluded')) return [];
    // Look-ups answer nothing as long as the update is not applied; that will ask for its own.
    if (verdict.reason === 'update_pending' && hold !== undefined) return [];
    return verdict.wanting.flatMap((look_up) => {
      const knowledge = facts.look_ups[look_up];
      const isEnough = knowledge?.coming || (hold !== undefined && knowledge?.owed);
      return isEnough ? [] : [{ player_id, brand_id, look_up }];
    });
  });
  await requestLiveLookUps(tx, wanted);
}
