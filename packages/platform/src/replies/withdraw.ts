import type { ConsentType } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { transaction } from '../database/index.ts';
import { changeConsents, lockConsents, UnknownPlayer } from '../operator/writeback/index.ts';

/**
 * Withdraws a consent, as a player does on the unsubscribe page: the gate uses it immediately, and it is sent to the operator. A
 * withdrawal that has not reached the operator yet is not repeated, so a repeated call of a provider has no further
 * effect.
 *
 * @param how `note`: shown on the player's timeline. `isRepeated`: the call may be a repetition, so a consent that is already withdrawn
 * stays as it is, even if the operator has confirmed the withdrawal
 * @returns whether it was withdrawn now
 */
export async function withdrawConsent(
  { pool, clock }: { pool: Pool; clock: Clock },
  brandId: number,
  playerId: number,
  type: ConsentType,
  { note, isRepeated = false }: { note: string; isRepeated?: boolean },
): Promise<boolean> {
  const player = { brand_id: brandId, player_id: playerId };
  return transaction(pool, async (tx) => {
    const held = (await lockConsents(tx, player)).find((one) => one.type === type);
    if (held?.opted_in === false && !held.in_doubt && (held.unconfirmed || isRepeated)) return false;
    const changes = [{ type, opted_in: false }];
    await changeConsents(tx, { ...player, changes, source: 'unsubscribe', at: clock(), note });
    return true;
  }).catch((error: unknown) => {
    if (error instanceof UnknownPlayer) return false;
    throw error;
  });
}
