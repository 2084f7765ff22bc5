import { fromLocalTime, type Micros, readTimestampText } from '@croupier/contracts';
import type { SegmentationKind } from '../../../brands/index.ts';

/** The kind of a value under a segmentation key. `other` is a list or an object: it is listed, and no trait can hold it. */
export type SeenKind = SegmentationKind | 'other';

/** Timestamps are Micros. Null if the player's value cannot be read as the kind of the trait. */
export type SegmentationValue = number | string | boolean | Micros | null;

/** @returns undefined for null and blank text, which carry no information (docs/reference/decisions.md 1) */
export function kindOf(value: unknown): SeenKind | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'string') return 'other';
  const text = value.trim();
  if (text === '') return undefined;
  return readTimestampText(text) === undefined ? 'text' : 'timestamp';
}

/**
 * The kind of a trait from all kinds seen under its key: the kind if there is one, text if they differ.
 *
 * @returns undefined if no value was seen that a trait can hold
 */
export function commonKind(seen: Iterable<SeenKind>): SegmentationKind | undefined {
  let common: SegmentationKind | undefined;
  for (const kind of seen) {
    if (kind === 'other' || kind === common) continue;
    if (common !== undefined) return 'text';
    common = kind;
  }
  return common;
}

/** As many digits as rules read (segments/fields/segmentation.ts). */
const decimal = /^[+-]?\d{1,255}(\.\d{1,255})?$/;

/** @param zone in which a timestamp without an offset is read: brand setting zoneless_timestamps. */
export function valueAs(kind: SegmentationKind, value: unknown, zone: string): SegmentationValue {
  const text = typeof value === 'string' ? value.trim() : undefined;
  switch (kind) {
    case 'number':
      if (typeof value === 'number') return value;
      return text !== undefined && decimal.test(text) ? Number(text) : null;
    case 'text':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (text ?? null);
    case 'boolean':
      return booleanOf(typeof value === 'string' ? text?.toLowerCase() : value);
    case 'timestamp':
      return text === undefined ? null : momentOf(text, zone);
    default:
      return kind satisfies never;
  }
}

/** Accepts only unmistakable texts and numbers, because a brand that declares the key boolean uses them as booleans. */
function booleanOf(value: unknown): boolean | null {
  if (value === true || value === 'true' || value === 1 || value === '1') return true;
  return value === false || value === 'false' || value === 0 || value === '0' ? false : null;
}

function momentOf(text: string, zone: string): Micros | null {
  const written = readTimestampText(text);
  if (written === undefined) return null;
  return written.zoned ? written.micros : fromLocalTime(zone, written.micros).at;
}
