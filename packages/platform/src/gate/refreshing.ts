import type { PoolClient } from 'pg';
import { requestLiveLookUps } from '../operator/players/index.ts';
import type { Judged } from './decision/decide-all.ts';
import type { RuledVerdict } from './decision/rules-of-contact.ts';
import type { Hold } from './records/hold-store.ts';
import type { ContactRequest } from './request.ts';

/**
 * Requests look-ups of the facts that decisions lacked: for held contacts, and for an old exclusion, so that the next contact
 * is decided on current facts.
 *
 * While a held contact waits for a look-up, the look-up is not requested again. A failed look-up is retried on its own
 * schedule, and each further request would restart this schedule at its shortest interval.
 */
export async function askForLookUps(
  tx: PoolClient,
  judged: readonly (Omit<Judged<ContactRequest>, 'verdict'> & { verdict: RuledVerdict; hold: Hold | undefined })[],
): Promise<void> {
  const wanted = judged.flatMap(({ request: { player_id, brand_id }, verdict, facts, hold }) => {
    if (facts === undefined || (verdict.outcome !== 'held' && verdict.reason !== 'excluded')) return [];
    // The contact waits until an update of the operator is applied. Earlier look-ups are useless, and the update causes its own
    // look-ups when it is applied.
    if (verdict.reason === 'update_pending' && hold !== undefined) return [];
    return verdict.wanting.flatMap((look_up) => {
      const knowledge = facts.look_ups[look_up];
      const isEnough = knowledge?.coming || (hold !== undefined && knowledge?.owed);
      return isEnough ? [] : [{ player_id, brand_id, look_up }];
    });
  });
  await requestLiveLookUps(tx, wanted);
}
