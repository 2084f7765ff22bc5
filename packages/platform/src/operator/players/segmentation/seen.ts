import type { Micros } from '@croupier/contracts';
import type { JsonObject } from '../../calling/index.ts';
import { storableStart } from '../../calling/index.ts';
import type { KeyRow } from './key-store.ts';
import { kindOf, type SeenKind } from './value.ts';

/*
 * Finds the segmentation keys in look-ups, and which of them are new. Pure.
 *
 * The catalog stores keys and kinds, not players. If every answer has the same keys, there is nothing to write.
 * `last_seen_at` is updated once a day, so that a key that the operator no longer sends can be distinguished from one in use.
 */

/** The segmentation in one look-up. */
export interface SegmentationFound {
  brand_id: number;
  segmentation: JsonObject;
  at: Micros;
}

/** A kind of value that was seen under a key of a brand. */
export interface KeySeen {
  brand_id: number;
  key: string;
  kind: SeenKind;
  sample: string | number | boolean;
  at: Micros;
}

/**
 * Maximum length of a key in characters. A longer key was not named by a person: it stays in the profile, and does not
 * become a trait.
 */
const longestKey = 100;
const longestSample = 200;

/** Returns the latest entry per brand, key and kind, sorted by these three. */
export function seenIn(found: readonly SegmentationFound[]): KeySeen[] {
  const seen = new Map<string, KeySeen>();
  for (const { brand_id, segmentation, at } of found) {
    for (const [key, value] of Object.entries(segmentation)) {
      const kind = kindOf(value);
      if (kind === undefined || key.trim() === '' || key.length > longestKey) continue;
      const one = { brand_id, key, kind, sample: sampleOf(value), at };
      const other = seen.get(keyOf(one));
      if (other === undefined || other.at < at) seen.set(keyOf(one), one);
    }
  }
  return [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function sampleOf(value: unknown): KeySeen['sample'] {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return storableStart(typeof value === 'string' ? value : JSON.stringify(value), longestSample);
}

function keyOf({ brand_id, key, kind }: Pick<KeySeen, 'brand_id' | 'key' | 'kind'>): string {
  return `${brand_id} ${kind} ${key}`;
}

/**
 * Maximum number of keys stored per brand. An operator that puts an id into each key must not fill the table or a list of
 * traits.
 */
export const maxKeys = 500;

const day: Micros = 24 * 3_600_000_000;

/** The entries that are new, or were stored more than a day earlier. */
export function changedKeys(
  seen: readonly KeySeen[],
  noted: readonly Pick<KeyRow, 'brand_id' | 'key' | 'kind' | 'last_seen_at'>[],
): KeySeen[] {
  const lastSeen = new Map(noted.map((row) => [keyOf(row), row.last_seen_at]));
  const keys = new Map<number, Set<string>>();
  for (const { brand_id, key } of noted) keys.set(brand_id, (keys.get(brand_id) ?? new Set()).add(key));
  return seen.filter((one) => {
    const last = lastSeen.get(keyOf(one));
    if (last !== undefined) return one.at - last > day;
    const ofBrand = keys.get(one.brand_id) ?? new Set();
    keys.set(one.brand_id, ofBrand);
    if (!ofBrand.has(one.key) && ofBrand.size >= maxKeys) return false;
    ofBrand.add(one.key);
    return true;
  });
}
