import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { lookUps } from '../judging/index.ts';
import {
  type ChangeSource,
  type ItemChange,
  lanes,
  lateWritesFor,
  loosens,
  requestUnlessErased,
  type WrittenRecord,
} from '../players/index.ts';
import { holdPlayer } from './unknown-player.ts';

/*
 * Stores a change. Every transaction in this folder locks in one order: the player's row of player_sync, which look-ups hold
 * while they write consents and blocks; then the player; then the row of the queue; then the items.
 */

export interface PlayerRecord {
  brand_id: number;
  player_id: number;
  record: WrittenRecord;
}

/**
 * Until the end of the transaction, no look-up writes this record of the player. A look-up whose answer has arrived waits, and
 * is then merged with the change. For a player who was never looked up it requests look-ups, as for any new player.
 *
 * @throws {UnknownPlayer} if the brand does not have the player, or no longer does. Nothing may be written then, because the
 * erasure that would delete it is over.
 */
export async function lockRecord(tx: ClientBase, of: PlayerRecord): Promise<void> {
  await lockLookUp(tx, of);
  await holdPlayer(tx, of);
}

async function lockLookUp(tx: ClientBase, { brand_id, player_id, record }: PlayerRecord): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'lock_look_up',
    text: 'select from player_sync where player_id = $1 and look_up = $2 for update',
    values: [player_id, record],
  });
  if (rowCount === 1) return;
  const request = { player_id, brand_id, lane: lanes.live };
  await requestUnlessErased(
    tx,
    lookUps.map((look_up) => ({ ...request, look_up })),
  );
}

/**
 * The number of the newest request for a look-up. Call it with the look-up's row locked: an answer to a higher number then
 * belongs to a look-up that was requested later.
 */
export async function newestRequest(tx: ClientBase, playerId: number, record: WrittenRecord): Promise<number> {
  const { rows } = await tx.query<{ requested: number }>({
    name: 'newest_look_up_request',
    text: 'select requested from player_sync where player_id = $1 and look_up = $2',
    values: [playerId, record],
  });
  return rows[0]?.requested ?? 0;
}

export interface NewItems extends PlayerRecord {
  source: ChangeSource;
  at: Micros;
  items: readonly ItemChange[];
  /** pending: to be sent. kept: never sent. stored: nothing to send; the next look-up decides. */
  state: 'pending' | 'kept' | 'stored';
  /** With `stored`: the look-up that decides. */
  confirm_request: number | null;
}

/** Replaces the latest items of their types with new ones. @returns change_id */
export async function insertItems(tx: ClientBase, change: NewItems): Promise<number> {
  const { brand_id, player_id, record, source, state, confirm_request } = change;
  const at = timestamptzText(change.at);
  const due_at = state === 'pending' ? timestamptzText(await databaseTime(tx)) : null;
  await tx.query({
    name: 'queue_write_back',
    // An open write continues. When it ends, the row becomes due with the new items.
    text: `insert into write_back as q (player_id, record, brand_id, due_at)
           values ($1, $2, $3, $4)
           on conflict (player_id, record) do update
              set due_at = case when q.claim is null then coalesce(excluded.due_at, q.due_at) else q.due_at end`,
    values: [player_id, record, brand_id, due_at],
  });
  const keys = change.items.map(({ type }) => type.toLowerCase());
  await tx.query({
    name: 'supersede_items',
    text: `update write_back_item i
              set latest = false,
                  state = case when state in ('pending', 'sending', 'kept') then 'superseded' else state end,
                  -- It is being sent and may arrive late.
                  late_until = case when state = 'sending' and ${loosens('i')}
                                    then greatest(late_until, $4::timestamptz + ${lateWritesFor / 1e6} * interval '1 second')
                                    else late_until end,
                  settled_at = coalesce(settled_at, $4), due_at = null
            where player_id = $1 and record = $2 and type_key = any($3::text[]) and latest`,
    values: [player_id, record, keys, at],
  });
  const { rows } = await tx.query<{ change_id: number }>({
    name: 'insert_items',
    text: `insert into write_back_item (change_id, brand_id, player_id, record, type_key, type, wanted, note, source,
                                        changed_at, state, confirm_request, due_at, late_until)
           select c.change_id, $1, $2, $3, lower(i.type), i.type, i.wanted, i.note, $4, $5, $6::text, $7,
                  $9::timestamptz,
                  (select max(p.late_until) from write_back_item p
                    where p.player_id = $2 and p.record = $3 and p.type_key = lower(i.type))
             from jsonb_to_recordset($8::jsonb) as i (type text, wanted boolean, note text)
            cross join (select id_in_bucket(nextval('write_back_change'), $2) as change_id) c
           returning change_id`,
    values: [brand_id, player_id, record, source, at, state, confirm_request, JSON.stringify(change.items), due_at],
  });
  const row = rows[0];
  if (row === undefined) throw new Error('a change must name at least one type');
  return row.change_id;
}

/** Sets the platform's own value of consents, valid from this transaction on. */
export async function setOwnConsents(
  tx: ClientBase,
  change: { player_id: number; source: ChangeSource; at: Micros; items: readonly ItemChange[] },
): Promise<void> {
  await tx.query({
    name: 'set_own_consents',
    text: `insert into player_consent (player_id, type_key, type, spelling, opted_in, in_doubt, source, as_of, unconfirmed)
           select $1, lower(i.type), i.type, i.type, i.wanted, false, $2, $3, true
             from jsonb_to_recordset($4::jsonb) as i (type text, wanted boolean)
           on conflict (player_id, type_key) do update
              set opted_in = excluded.opted_in, in_doubt = false, source = excluded.source, as_of = excluded.as_of,
                  unconfirmed = true`,
    values: [change.player_id, change.source, timestamptzText(change.at), JSON.stringify(change.items)],
  });
}

/** Sets the platform's own value of a block: in force immediately. */
export async function setOwnBlock(
  tx: ClientBase,
  block: { player_id: number; type: string; note: string; source: ChangeSource; at: Micros },
): Promise<void> {
  await tx.query({
    name: 'set_own_block',
    text: `insert into player_block (player_id, type_key, type, spelling, active, in_doubt, note, source, as_of, unconfirmed)
           values ($1, lower($2), $2, $2, true, false, $3, $4, $5, true)
           on conflict (player_id, type_key) do update
              set active = true, in_doubt = false, note = excluded.note, source = excluded.source, as_of = excluded.as_of,
                  unconfirmed = true`,
    values: [block.player_id, block.type, block.note, block.source, timestamptzText(block.at)],
  });
}

/** Leaves a block to the next look-up. It stays in force until that look-up returns another value. */
export async function releaseBlock(tx: ClientBase, playerId: number, type: string): Promise<void> {
  await tx.query({
    name: 'release_block',
    text: 'update player_block set unconfirmed = false where player_id = $1 and type_key = lower($2)',
    values: [playerId, type],
  });
}
