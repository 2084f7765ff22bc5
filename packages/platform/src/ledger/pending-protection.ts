import { changesProtection, type EventKind } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { Bucket, LedgerEntry, LedgerPosition } from './ledger.ts';
import { bucketOf } from './player-hash.ts';

/*
 * Which players have an acknowledged event that can change their protection and that is not applied yet.
 *
 *   append   : the row is written by the statement that writes the block, so it is there for every decision of the gate that
 *              begins after the event's 200
 *   applied  : whoever applies the event deletes the row, in the transaction that asks for the look-ups; from then on the look-ups
 *              that are owed say that the player's status is unknown
 *
 * Rows are only inserted and deleted, each by one process, so nobody waits for a lock. An event that is parked keeps its row.
 */

/** One such event, before its block has a place. */
export interface PendingProtection {
  bucket: Bucket;
  /** Signed, as PostgreSQL has no unsigned numbers. */
  player_hash: string;
  index: number;
}

/** What of a block can change somebody's protection. Empty for most blocks. */
export function pendingProtectionOf(entries: readonly LedgerEntry[]): PendingProtection[] {
  const pending: PendingProtection[] = [];
  for (const [index, { kind, player_hash }] of entries.entries()) {
    if (!changesProtection(kind)) continue;
    pending.push({ bucket: bucketOf(player_hash), player_hash: signedHash(player_hash), index });
  }
  return pending;
}

/** An event whose row is to go. */
export interface SettledEvent {
  kind: EventKind;
  player_hash: bigint;
  position: LedgerPosition;
}

/**
 * These events are applied, or will never be: the gate no longer waits for them. In the transaction that applies them.
 *
 * The statement has no name, so that it is planned for the size that the table has now and not for that of an earlier moment.
 */
export async function settleProtection(tx: ClientBase, events: readonly SettledEvent[]): Promise<void> {
  const settled = events.filter(({ kind }) => changesProtection(kind));
  if (settled.length === 0) return;
  await tx.query(
    `delete from pending_protection p
      using unnest($1::smallint[], $2::bigint[], $3::int[], $4::bigint[], $5::int[]) as k (bucket, player_hash, writer_id, seq, index)
      where p.bucket = k.bucket and p.player_hash = k.player_hash
        and p.writer_id = k.writer_id and p.seq = k.seq and p.index = k.index`,
    [
      settled.map(({ player_hash }) => bucketOf(player_hash)),
      settled.map(({ player_hash }) => signedHash(player_hash)),
      settled.map(({ position }) => position.writer_id),
      settled.map(({ position }) => position.seq),
      settled.map(({ position }) => position.index),
    ],
  );
}

function signedHash(playerHash: bigint): string {
  return BigInt.asIntN(64, playerHash).toString();
}
