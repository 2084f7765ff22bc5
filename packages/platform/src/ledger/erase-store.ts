import type { ClientBase, Pool } from 'pg';
import type { Bucket } from './ledger.ts';
import type { Pack } from './pack.ts';
import type { PackRow } from './pack-store.ts';
import type { BlockRow } from './store.ts';

/** The SQL that removes events from blocks and packs. */

export interface Place {
  writer_id: number;
  seq: number;
}

/**
 * Blocks of a brand with events of a bucket, ordered by number, including those whose day is packed as long as their
 * rows still exist.
 */
export async function blocksToSearch(
  db: Pool | ClientBase,
  of: { bucket: Bucket; brand_id: number },
  after: Place,
  limit: number,
): Promise<BlockRow[]> {
  const { rows } = await db.query<BlockRow>(
    `select writer_id, seq, day, received_at, event_count, payload from ledger_block
     where (writer_id, seq) > ($1::int, $2::bigint) and bucket_mask & $3::bigint <> 0 and $4::int = any (brand_ids)
     order by writer_id, seq limit $5`,
    [after.writer_id, after.seq, BigInt.asIntN(64, 1n << BigInt(of.bucket)).toString(), of.brand_id, limit],
  );
  return rows;
}

/**
 * Number, day and time do not change, so all cursors stay valid. The mask and the brands are updated, so that searches
 * for an erased event's bucket or brand no longer read the block unnecessarily.
 */
export async function rewriteBlock(
  tx: ClientBase,
  block: Pick<BlockRow, 'writer_id' | 'seq' | 'day' | 'event_count' | 'payload'> & {
    bucket_mask: bigint;
    brand_ids: readonly number[];
  },
): Promise<void> {
  await tx.query(
    `update ledger_block set event_count = $4, bucket_mask = $5, brand_ids = $6, payload = $7
     where writer_id = $1 and seq = $2 and day = $3`,
    [
      block.writer_id,
      block.seq,
      block.day,
      block.event_count,
      block.bucket_mask.toString(),
      block.brand_ids,
      block.payload,
    ],
  );
}

/** Slices in which the bucket's pack contains the player, in order. */
export async function slicesNaming(db: Pool | ClientBase, bucket: Bucket, player: Buffer): Promise<number[]> {
  const { rows } = await db.query<{ slice_id: number }>(
    'select slice_id from ledger_pack where bucket = $1 and position($2 in players) > 0 order by slice_id',
    [bucket, player],
  );
  return rows.map((row) => row.slice_id);
}

/** @param after null if nothing is left of the pack */
export async function rewritePack(
  tx: ClientBase,
  before: PackRow,
  after: (Pack & { event_count: number }) | null,
): Promise<void> {
  const { slice_id, bucket } = before;
  if (after === null) await tx.query('delete from ledger_pack where slice_id = $1 and bucket = $2', [slice_id, bucket]);
  else {
    await tx.query(
      'update ledger_pack set event_count = $3, players = $4, heads = $5, bodies = $6 where slice_id = $1 and bucket = $2',
      [slice_id, bucket, after.event_count, after.players, after.heads, after.bodies],
    );
  }
  await tx.query('update ledger_slice set event_count = event_count - $2, bytes = bytes - $3 where slice_id = $1', [
    slice_id,
    before.event_count - (after?.event_count ?? 0),
    bytesOf(before) - (after === null ? 0 : bytesOf(after)),
  ]);
}

function bytesOf({ players, heads, bodies }: Pack): number {
  return players.length + heads.length + bodies.length;
}

/** Blocks that were set aside: a few at most in the whole ledger. */
export async function setAsideBlocks(db: Pool | ClientBase): Promise<BlockRow[]> {
  const { rows } = await db.query<BlockRow>(
    'select writer_id, seq, day, received_at, event_count, payload from ledger_set_aside order by writer_id, seq',
  );
  return rows;
}

export async function rewriteSetAside(
  tx: ClientBase,
  block: Pick<BlockRow, 'writer_id' | 'seq' | 'event_count' | 'payload'>,
): Promise<void> {
  await tx.query('update ledger_set_aside set event_count = $3, payload = $4 where writer_id = $1 and seq = $2', [
    block.writer_id,
    block.seq,
    block.event_count,
    block.payload,
  ]);
}
