import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { transaction } from '../database/index.ts';
import { changeConsents, lockConsents, UnknownPlayer } from '../operator/writeback/index.ts';

/**
 * Withdraws the consent SMS of players, each in a transaction of its own: the gate counts with it at once, and the operator is told. A
 * withdrawal made here that the operator does not have yet is not made again, so a call that a provider repeats changes nothing more.
 *
 * @returns for how many it was withdrawn
 */
export async function withdrawSms(
  { pool, clock }: { pool: Pool; clock: Clock },
  brandId: number,
  playerIds: readonly number[],
): Promise<number> {
  let withdrawn = 0;
  for (const player_id of playerIds) {
    const player = { brand_id: brandId, player_id };
    const isNew = await transaction(pool, async (tx) => {
      const held = (await lockConsents(tx, player)).find(({ type }) => type === 'SMS');
      if (held?.unconfirmed === true && held.opted_in === false && !held.in_doubt) return false;
      const changes = [{ type: 'SMS', opted_in: false }] as const;
      await changeConsents(tx, { ...player, changes, source: 'unsubscribe', at: clock(), note: 'replied STOP by SMS' });
      return true;
    }).catch((error: unknown) => {
      if (error instanceof UnknownPlayer) return false;
      throw error;
    });
    if (isNew) withdrawn += 1;
  }
  return withdrawn;
}
