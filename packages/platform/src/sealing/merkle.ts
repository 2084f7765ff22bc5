import { createHash } from 'node:crypto';

/*
 * The tree over the decisions of one seal (RFC 6962). Each pair of neighbors is replaced by the hash of both. A hash
 * without a neighbor moves up unchanged. This repeats until one hash is left: the root.
 *
 * A tree is used instead of one hash over all decisions. With a tree, a person who has the decisions of one player can check
 * each of them against the seal with eleven hashes, without the rows of other players.
 */

/** @param leaves at least one */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  let level = leaves;
  while (level.length > 1) level = levelAbove(level);
  const [root] = level;
  if (root === undefined) throw new RangeError('a tree has at least one leaf');
  return root;
}

/** One step from a leaf to the root: the neighbor, and its side. */
export interface ProofStep {
  side: 'left' | 'right';
  hash: Buffer;
}

export function proofOf(leaves: readonly Buffer[], place: number): ProofStep[] {
  const steps: ProofStep[] = [];
  let level = leaves;
  let at = place;
  while (level.length > 1) {
    const isRight = at % 2 === 1;
    const neighbor = level[isRight ? at - 1 : at + 1];
    if (neighbor !== undefined) steps.push({ side: isRight ? 'left' : 'right', hash: neighbor });
    level = levelAbove(level);
    at = Math.floor(at / 2);
  }
  return steps;
}

/** The root computed from a leaf and its steps. */
export function rootByProof(leaf: Buffer, steps: readonly ProofStep[]): Buffer {
  return steps.reduce((hash, step) => (step.side === 'left' ? node(step.hash, hash) : node(hash, step.hash)), leaf);
}

function levelAbove(level: readonly Buffer[]): Buffer[] {
  const above: Buffer[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const left = level[at] as Buffer;
    const right = level[at + 1];
    above.push(right === undefined ? left : node(left, right));
  }
  return above;
}

const nodeMark = Buffer.from([1]);

function node(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(nodeMark).update(left).update(right).digest();
}
