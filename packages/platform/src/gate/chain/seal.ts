import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import { type ChainHead, type Link, nextLink, sealTextHash } from '../../sealing/index.ts';
import { type DecisionRow, leafOf } from './leaf.ts';

/*
 * The chain of a brand: decisions are sealed in batches, and each seal contains the hash of the previous one.
 *
 *     seal 1                     seal 2                     seal 3 (the head)
 *     previous: 32 zero bytes <- previous: hash of 1     <- previous: hash of 2
 *     root over decisions        root over decisions        root over decisions
 *
 * A decision becomes part of the first seal made after its commit, regardless of its number: a transaction that commits
 * late may have a lower number than rows that are already sealed. So a seal lists exactly the decisions that it covers,
 * and makes no statement about numbers in between.
 *
 * The chain proves that no sealed decision and no seal was altered, removed or inserted. Alone it cannot prove that the newest seals were
 * not removed together with their decisions and marks, because anyone who can write to the database can rebuild the chain from any point.
 * If the head is recorded elsewhere (in an export, or by the auditor), `verifyChain` can check that, too.
 */
export interface Seal extends Link {
  brand_id: number;
  decisions: number;
  sealed_at: Micros;
}

/** @param rows by decision_id, ascending; at least one */
export function sealOf(
  rows: readonly DecisionRow[],
  last: ChainHead | undefined,
  brand_id: number,
  sealed_at: Micros,
): Seal {
  const own = { brand_id, decisions: rows.length, sealed_at };
  const leaves = rows.map((row) => ({ id: row.decision_id, leaf: leafOf(row) }));
  return { ...own, ...nextLink(leaves, last, (link) => sealHash({ ...own, ...link })) };
}

/** SHA-256 of a byte of value 2 and the seal as a JSON array. The root represents the decisions. */
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
  return sealTextHash(text);
}
