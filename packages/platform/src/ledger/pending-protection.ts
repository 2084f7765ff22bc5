import { changesProtection, type EventKind } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Bucket, LedgerEntry, LedgerPosition } from './ledger.ts';
import { bucketOf, playerHash } from './player-hash.ts';

/*
 * Records which players have an acknowledged event that can change their protection and is not applied yet.
 *
 *   append   : the statement that writes the block also writes the row, so every decision of the gate that begins after the
 *              event's 200 sees it
 *   applied  : the stage that applies the event deletes the row, in the transaction that requests the look-ups; from then on the
 *              pending look-ups mark the player's status as unknown
 *
 *   never applied : the event was answered 200 and quarantined, or its block is damaged, or the ledger no longer has it. Such an
 *              event only says that something changed, and look-ups return what has changed. So look-ups are requested instead
 *
 * Rows are only inserted and deleted, each by one process, so no process waits for a lock. A parked event keeps its row.
 */

/** One such event, before its block has a position. */
export interface PendingProtection {
  bucket: Bucket;
  /** Signed, as PostgreSQL has no unsigned numbers. */
  player_hash: string;
  index: number;
}

/** The events of a block that can change a player's protection. Most blocks have none. */
export function pendingProtectionOf(entries: readonly LedgerEntry[]): PendingProtection[] {
  const pending: PendingProtection[] = [];
  for (const [index, { kind, player_hash }] of entries.entries()) {
    if (!changesProtection(kind)) continue;
    pending.push({ bucket: bucketOf(player_hash), player_hash: signedHash(player_hash), index });
  }
  return pending;
}

/** An event whose row is to be deleted. */
export interface SettledEvent {
  kind: EventKind;
  player_hash: bigint;
  position: LedgerPosition;
}

/** A deleted row with its player. A quarantined event has the user_id, others only the hash. */
export interface SettledRow {
  bucket: Bucket;
  /** Signed. */
  player_hash: string;
  brand_id: number | null;
  user_id: string | null;
}

const settledColumns = 'p.bucket, p.player_hash::text as player_hash, p.brand_id, p.user_id';

/**
 * Deletes the rows of events that are applied or never will be, so that the gate stops waiting for them. Call it in the
 * transaction that applies them or requests their look-ups.
 *
 * The statement has no name, so that it is planned for the current size of the table.
 *
 * @returns the deleted rows
 */
export async function settleProtection(tx: ClientBase, events: readonly SettledEvent[]): Promise<SettledRow[]> {
  const settled = events.filter(({ kind }) => changesProtection(kind));
  if (settled.length === 0) return [];
  const { rows } = await tx.query<SettledRow>(
    `delete from pending_protection p
      using unnest($1::smallint[], $2::bigint[], $3::int[], $4::bigint[], $5::int[]) as k (bucket, player_hash, writer_id, seq, index)
      where p.bucket = k.bucket and p.player_hash = k.player_hash
        and p.writer_id = k.writer_id and p.seq = k.seq and p.index = k.index
      returning ${settledColumns}`,
    [
      settled.map(({ player_hash }) => bucketOf(player_hash)),
      settled.map(({ player_hash }) => signedHash(player_hash)),
      settled.map(({ position }) => position.writer_id),
      settled.map(({ position }) => position.seq),
      settled.map(({ position }) => position.index),
    ],
  );
  return rows;
}

/** An event that is answered 200 although it is invalid. */
export interface QuarantinedUpdate {
  quarantine_id: number;
  brand_id: number;
  user_id: string;
}

/** Call it before the 200. A repeated call changes nothing while the row exists. */
export async function holdQuarantined(db: Pool | ClientBase, updates: readonly QuarantinedUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  const hashes = updates.map(({ brand_id, user_id }) => playerHash(brand_id, user_id));
  await db.query(
    `insert into pending_protection (bucket, player_hash, writer_id, seq, index, brand_id, user_id)
     select bucket, player_hash, 0, seq, 0, brand_id, user_id
       from unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::int[], $5::text[]) as q (bucket, player_hash, seq, brand_id, user_id)
      order by bucket, player_hash, seq
     on conflict do nothing`,
    [
      hashes.map(bucketOf),
      hashes.map(signedHash),
      updates.map(({ quarantine_id }) => quarantine_id),
      updates.map(({ brand_id }) => brand_id),
      updates.map(({ user_id }) => user_id),
    ],
  );
}

/**
 * Deletes the rows of events that no batch will apply: those in the quarantine, and those in damaged blocks. At most
 * `limit`.
 */
export async function takeNeverApplied(
  tx: ClientBase,
  buckets: readonly Bucket[],
  limit: number,
): Promise<SettledRow[]> {
  const { rows } = await tx.query<SettledRow>(
    `delete from pending_protection p
      using (select bucket, player_hash, writer_id, seq, index from pending_protection
              where bucket = any ($1::smallint[]) and writer_id = 0
             union all
             select e.bucket, e.player_hash, e.writer_id, e.seq, e.index
               from ledger_damage d join pending_protection e using (writer_id, seq)
              where d.writer_id > 0 and e.bucket = any ($1::smallint[])
             limit $2) k
      where p.bucket = k.bucket and p.player_hash = k.player_hash
        and p.writer_id = k.writer_id and p.seq = k.seq and p.index = k.index
      returning ${settledColumns}`,
    [buckets, limit],
  );
  return rows;
}

function signedHash(playerHash: bigint): string {
  return BigInt.asIntN(64, playerHash).toString();
}
