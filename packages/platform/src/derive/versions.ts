import type { Micros } from '@croupier/contracts';

/*
 * Events of one key (docs/reference/decisions.md 2.3).
 *
 * Operators repeat events, and sometimes send different data under the same key. Of all versions of a key, the one with
 * the earliest event timestamp is in force; in a tie, the one with the smallest fingerprint. The order of arrival does
 * not matter, so the version in force is a function of the set. Other versions are repeats (same money) or conflicts
 * (other money): listed, but without effect.
 */

export interface Version {
  timestamp: Micros;
  /** The 128-bit fingerprint in hex (`fingerprintOf`). */
  fingerprint: string;
}

/**
 * Maximum number of versions stored per key. Without it, an operator that sends another amount with every retry would make
 * a fact grow without limit. The first versions in canonical order are kept. The stored versions are still a function of
 * the set: if a version is left out, this many versions precede it, and they also precede it in every larger set.
 */
export const maxVersions = 20;

/** The canonical order of the versions of one key: the first is in force. */
export function byPrecedence(a: Version, b: Version): number {
  return a.timestamp - b.timestamp || (a.fingerprint < b.fingerprint ? -1 : a.fingerprint > b.fingerprint ? 1 : 0);
}

/**
 * Adds an event to the versions of its key. Of versions with the same money, only the earliest is kept, so repeats add
 * nothing. Returns the same array if nothing changes.
 *
 * @param versions of one key, in canonical order
 */
export function addVersion<V extends Version>(
  versions: readonly V[],
  version: V,
  isSameMoney: (a: V, b: V) => boolean,
): readonly V[] {
  const held = versions.find((other) => isSameMoney(other, version));
  if (held !== undefined && byPrecedence(held, version) <= 0) return versions;
  const grown = [...versions.filter((other) => other !== held), version].sort(byPrecedence);
  if (grown.length <= maxVersions) return grown;
  return grown.at(-1) === version ? versions : grown.slice(0, maxVersions);
}

/** Compares an event with the stored versions of its key. */
export function arrivalAmong<V extends Version>(
  versions: readonly V[],
  version: V,
  isSameMoney: (a: V, b: V) => boolean,
): 'new' | 'repeat' | 'conflict' {
  if (versions.length === 0) return 'new';
  return versions.some((other) => isSameMoney(other, version)) ? 'repeat' : 'conflict';
}
