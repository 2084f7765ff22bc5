import type { BrandSettings, SegmentationKind } from '../../../brands/index.ts';
import type { JsonObject } from '../../calling/index.ts';
import { commonKind, kindOf, type SeenKind, type SegmentationValue, valueAs } from './value.ts';

/*
 * The operator's `segmentation` keys as traits: which keys of a brand map to which traits, and their values for one player.
 * Pure.
 *
 * The kind of a trait is decided over all players of the brand, never over the player that is read. A segment "vip_level > 3"
 * must not compare a number for one player and a text for the next.
 */

/** A kind of value that was seen under a key of a brand. */
export interface Sighting {
  kind: SeenKind;
}

/** A segmentation key as a trait. */
export interface SegmentationTrait {
  key: string;
  name: string;
  kind: SegmentationKind;
  /** The unit of a number; for other kinds, the name of the kind. */
  unit: string;
}

export interface KeyMeaning<S extends Sighting> {
  key: string;
  /** Whether the brand's mapping contains the key. */
  mapped: boolean;
  /** Null if no value was seen that a trait can hold, or if no name is left for the key and the brand has to map it. */
  trait: SegmentationTrait | null;
  seen: readonly S[];
}

export interface SegmentationReading {
  value: SegmentationValue;
  kind: SegmentationKind;
  unit: string;
}

type Settings = Pick<BrandSettings, 'segmentation_traits' | 'zoneless_timestamps'>;

/** All keys of a brand, seen or mapped, sorted by their text. */
export function meaningsOf<S extends Sighting>(
  seen: ReadonlyMap<string, readonly S[]>,
  { segmentation_traits: mapping }: Settings,
): KeyMeaning<S>[] {
  const keys = [...new Set([...seen.keys(), ...Object.keys(mapping)])].sort();
  const owners = ownersOf(keys.filter((key) => !Object.hasOwn(mapping, key)));
  return keys.map((key) => {
    const sightings = seen.get(key) ?? [];
    const mapped = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
    const kind = mapped?.kind ?? commonKind(sightings.map((sighting) => sighting.kind));
    const name = mapped?.name ?? usualName(key);
    const isFree = mapped !== undefined || owners.get(name) === key;
    const trait =
      kind === undefined || !isFree
        ? null
        : { key, name, kind, unit: (kind === 'number' ? mapped?.unit : undefined) ?? kind };
    return { key, mapped: mapped !== undefined, trait, seen: sightings };
  });
}

/** The traits of one player, by name. A key that the player does not have, or whose value is blank, has no trait. */
export function readingsOf(
  segmentation: JsonObject,
  meanings: readonly KeyMeaning<Sighting>[],
  { zoneless_timestamps }: Settings,
): Record<string, SegmentationReading> {
  const readings: Record<string, SegmentationReading> = {};
  for (const { key, trait } of meanings) {
    if (trait === null || !Object.hasOwn(segmentation, key) || kindOf(segmentation[key]) === undefined) continue;
    const { name, kind, unit } = trait;
    readings[name] = { value: valueAs(kind, segmentation[key], zoneless_timestamps), kind, unit };
  }
  return readings;
}

const prefix = 'segmentation_';

/** The default trait name of a key that the brand has not mapped: `VIPLevel` becomes segmentation_vip_level. */
export function usualName(key: string): string {
  const words = key
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
  return `${prefix}${words.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')}`;
}

/**
 * Several keys may produce one name (`VipLevel`, `vip_level`). The key with exactly this spelling gets the name, otherwise the first key in
 * alphabetical order. A key without a Latin letter or digit has no name.
 */
function ownersOf(keys: readonly string[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const key of keys) {
    const name = usualName(key);
    if (name === prefix) continue;
    if (!owners.has(name) || name === `${prefix}${key}`) owners.set(name, key);
  }
  return owners;
}
