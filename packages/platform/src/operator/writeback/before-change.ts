import type { PoolClient } from 'pg';
import { type ConsentRow, readConsents } from '../players/index.ts';
import { lockRecord } from './change-store.ts';

/** For a change that depends on what is held: the player's consents, which nothing else changes until the transaction ends. */
export async function lockConsents(
  tx: PoolClient,
  player: { brand_id: number; player_id: number },
): Promise<ConsentRow[]> {
  await lockRecord(tx, { ...player, record: 'consents' });
  return readConsents(tx, [player.player_id]);
}

/**
 * The consent types that a change withdrew and of which it is still the newest word: an undo brings back no others. A look-up
 * that confirms a withdrawal leaves it the player's own, with its time; what was given and withdrawn again at the operator has
 * the time of the look-up that said so. To be asked after `lockConsents`, in the same transaction.
 */
export async function standingWithdrawals(tx: PoolClient, playerId: number, changeId: number): Promise<string[]> {
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
