import type { PoolClient } from 'pg';
import { storableText } from '../calling/index.ts';
import { lanes, requestLookUps } from '../players/index.ts';
import { noteProtection } from '../protection/index.ts';
import type { BlockChange } from './block-change.ts';
import { insertItems, lockRecord, newestRequest, releaseBlock, setOwnBlock, setOwnConsents } from './change-store.ts';
import type { ConsentChange } from './consent-change.ts';

/**
 * Changes consents, in the caller's transaction. The platform's own value changes immediately, so that the very next decision uses
 * it, and one item per type is queued for the operator. Of two changes of one type the later wins. If one change names a type
 * twice, the withdrawal wins.
 *
 * It may wait for milliseconds, until a look-up of the player has been written. It never waits for a call. Make only
 * one change per transaction: a second change of the same player takes locks in another order than look-ups do, and may
 * fail with a deadlock.
 *
 * @throws if `changes` is empty
 * @throws {UnknownPlayer} if the brand does not have the player, or no longer does
 */
export async function changeConsents(tx: PoolClient, change: ConsentChange): Promise<{ change_id: number }> {
  const wanted = new Map<string, boolean>();
  for (const { type, opted_in } of change.changes) wanted.set(type, opted_in && wanted.get(type) !== false);
  const note = change.note === undefined ? null : storableText(change.note);
  const items = [...wanted].map(([type, opted_in]) => ({ type, wanted: opted_in, note }));
  const { brand_id, player_id, source, at } = change;
  const own = { brand_id, player_id, record: 'consents', source, at, items } as const;
  await lockRecord(tx, own);
  const change_id = await insertItems(tx, { ...own, state: 'pending', confirm_request: null });
  await setOwnConsents(tx, own);
  await noteProtection(tx, [player_id], { source, at });
  return { change_id };
}

/**
 * Sets or removes a block, in the caller's transaction (docs/decisions/1041).
 *
 * A block that is set is in force immediately, until the operator has stored it or staff remove it. Removing a block
 * allows more contact, and only a look-up may do that. So the stored value changes with the look-up that this function
 * requests. If the removal is sent to the operator, it changes with the first look-up after that.
 *
 * @throws {UnknownPlayer} if the brand does not have the player, or no longer does
 */
export async function setBlock(tx: PoolClient, change: BlockChange): Promise<{ change_id: number }> {
  const { brand_id, player_id, type, active, source, at, write_back } = change;
  const note = storableText(change.note);
  const own = { brand_id, player_id, record: 'blocks', source, at, items: [{ type, wanted: active, note }] } as const;
  await lockRecord(tx, own);
  if (active) {
    const state = write_back ? 'pending' : 'kept';
    const change_id = await insertItems(tx, { ...own, state, confirm_request: null });
    await setOwnBlock(tx, { player_id, type, note, source, at });
    await noteProtection(tx, [player_id], { source, at });
    return { change_id };
  }
  await releaseBlock(tx, player_id, type);
  if (write_back) return { change_id: await insertItems(tx, { ...own, state: 'pending', confirm_request: null }) };
  await requestLookUps(tx, [{ player_id, brand_id, look_up: 'blocks', lane: lanes.live }]);
  const confirm_request = await newestRequest(tx, player_id, 'blocks');
  return { change_id: await insertItems(tx, { ...own, state: 'stored', confirm_request }) };
}
