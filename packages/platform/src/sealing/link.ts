import { createHash } from 'node:crypto';
import { rootOf } from './merkle.ts';

/** The part of a seal that is the same in every chain. */
export interface Link extends ChainHead {
  /** The rows that it covers, ascending. */
  ids: number[];
  /** 32 bytes for each row, in that order. */
  leaves: Buffer;
  root: Buffer;
  /** Hash of the previous seal; zeros in the first one. */
  previous: Buffer;
}

export interface ChainHead {
  /** 1, 2, 3, ... within the chain. */
  seal_no: number;
  hash: Buffer;
}

export const hashBytes = 32;
export const noSeal = Buffer.alloc(hashBytes);

/**
 * The seal after `last`, over these rows.
 *
 * @param rows by id, ascending; at least one
 * @param hashOf computes the hash of a seal, because each chain decides which fields it covers
 */
export function nextLink(
  rows: readonly { id: number; leaf: Buffer }[],
  last: ChainHead | undefined,
  hashOf: (link: Omit<Link, 'hash'>) => Buffer,
): Link {
  const leaves = rows.map(({ leaf }) => leaf);
  const unhashed = {
    seal_no: (last?.seal_no ?? 0) + 1,
    ids: rows.map(({ id }) => id),
    leaves: Buffer.concat(leaves),
    root: rootOf(leaves),
    previous: last?.hash ?? noSeal,
  };
  return { ...unhashed, hash: hashOf(unhashed) };
}

export function leavesOf({ leaves }: Pick<Link, 'leaves'>): Buffer[] {
  return Array.from({ length: Math.floor(leaves.length / hashBytes) }, (_, place) =>
    leaves.subarray(place * hashBytes, (place + 1) * hashBytes),
  );
}

/**
 * A leaf of the tree: SHA-256 of a zero byte and the canonical text of the row. The zero byte distinguishes a leaf from a node (RFC 6962).
 */
export function leafHash(canonicalText: string): Buffer {
  return createHash('sha256').update('\0').update(canonicalText).digest();
}

/** The hash of a seal: SHA-256 of a byte of value 2 and its canonical text. */
export function sealTextHash(canonicalText: string): Buffer {
  return createHash('sha256').update('\u0002').update(canonicalText).digest();
}
