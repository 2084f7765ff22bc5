import { createHash } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import { type DecisionRow, leafOf } from './leaf.ts';
import { rootOf } from './merkle.ts';

/*
 * The chain of a brand: decisions are sealed in batches, and each seal holds the hash of the one before.
 *
 *     seal 1                     seal 2                     seal 3 (the head)
 *     previous: 32 zero bytes <- previous: hash of 1     <- previous: hash of 2
 *     root over decisions        root over decisions        root over decisions
 *
 * Decisions join the first seal made after their commit, whatever their numbers: a transaction that commits late has a lower
 * number than rows already sealed. So a seal lists exactly which decisions it covers, and says nothing of those between.
 *
 * What it proves: no sealed decision was altered, taken out or put in, and no seal was. What it cannot prove alone: that
 * the newest seals were not cut off together with their decisions and marks, for whoever may write to the database can make
 * the chain anew from any point. The head, kept elsewhere (an export, a note by the auditor), closes that: `verifyChain` takes it.
 */
export interface Seal {
  brand_id: number;
  /** 1, 2, 3, ... within the brand. */
  seal_no: number;
  decisions: number;
  /** Ascending. */
  decision_ids: number[];
  /** 32 bytes for each decision, in that order. */
  leaves: Buffer;
  root: Buffer;
  /** Hash of the seal before; zeros in the first. */
  previous: Buffer;
  hash: Buffer;
  sealed_at: Micros;
}

export const hashBytes = 32;
export const noSeal = Buffer.alloc(hashBytes);

/** @param rows by decision_id, ascending; at least one */
export function sealOf(
  rows: readonly DecisionRow[],
  last: Pick<Seal, 'seal_no' | 'hash'> | undefined,
  brand_id: number,
  sealed_at: Micros,
): Seal {
  const leaves = rows.map(leafOf);
  const unhashed = {
    brand_id,
    seal_no: (last?.seal_no ?? 0) + 1,
    decisions: rows.length,
    decision_ids: rows.map(({ decision_id }) => decision_id),
    leaves: Buffer.concat(leaves),
    root: rootOf(leaves),
    previous: last?.hash ?? noSeal,
    sealed_at,
  };
  return { ...unhashed, hash: sealHash(unhashed) };
}

/** SHA-256 of a byte of value 2 and the seal as a JSON array; the root stands for the decisions. */
export function sealHash(
  seal: Pick<Seal, 'brand_id' | 'seal_no' | 'decisions' | 'root' | 'previous' | 'sealed_at'>,
): Buffer {
  const { brand_id, seal_no, decisions, root, previous, sealed_at } = seal;
  const text = JSON.stringify([
    'croupier seal 1',
    brand_id,
    seal_no,
    decisions,
    root.toString('hex'),
    previous.toString('hex'),
    timestamptzText(sealed_at),
  ]);
  return createHash('sha256').update('\u0002').update(text).digest();
}

export function leavesOf({ leaves }: Pick<Seal, 'leaves'>): Buffer[] {
  return Array.from({ length: Math.floor(leaves.length / hashBytes) }, (_, place) =>
    leaves.subarray(place * hashBytes, (place + 1) * hashBytes),
  );
}
