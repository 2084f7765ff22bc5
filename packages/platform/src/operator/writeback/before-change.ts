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
 * The consent types that a change withdrew, if no newer change of the type followed: an undo restores only these. If a look-up
 * confirms a withdrawal, the withdrawal stays the player's own and keeps its time. If the operator's records show that a consent
 * was given and withdrawn again, the consent has the time of the look-up that reported it. Call it after `lockConsents`, in the
 * same transaction.
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
