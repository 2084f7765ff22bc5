import type { PoolClient } from 'pg';
import { type ConsentRow, readConsents } from '../players/index.ts';
import { lockRecord } from './change-store.ts';

/** Locks the player's consents until the transaction ends, for a change that depends on their current values. */
export async function lockConsents(
  tx: PoolClient,
  player: { brand_id: number; player_id: number },
): Promise<ConsentRow[]> {
  await lockRecord(tx, { ...player, record: 'consents' });
  return readConsents(tx, [player.player_id]);
}

/**
 * The consent types that a change withdrew and that nothing has changed since: an undo restores only these. A look-up that
 * confirms a withdrawal does not change its time. If the consent was given and withdrawn again at the operator, it has the time
 * of the look-up that reported this, so an undo does not restore it. Call it after `lockConsents`, in the same transaction.
 */
export async function withdrawalsInForce(tx: PoolClient, playerId: number, changeId: number): Promise<string[]> {
  const { rows } = await tx.query<{ type: string }>({
    name: 'standing_withdrawals',
    text: `select i.type from write_back_item i join player_consent c using (player_id, type_key)
            where i.player_id = $1 and i.change_id = $2 and i.record = 'consents' and i.latest and not i.wanted
              and c.as_of <= i.changed_at
            order by i.item_id`,
    values: [playerId, changeId],
  });
  return rows.map(({ type }) => type);
}
