import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import type { JsonObject } from '../../calling/index.ts';
import { type KeyRow, readKeys, writeKeys } from './key-store.ts';
import { changedKeys, type SegmentationFound, seenIn } from './seen.ts';
import { type KeyMeaning, meaningsOf, readingsOf, type SegmentationReading } from './traits.ts';

/**
 * Updates the catalog of keys from look-ups, in their transaction. It costs one indexed read per batch, and nearly never a
 * write. "insert ... on conflict do update where" alone would lock rows that all look-ups of a brand share.
 */
export async function noteSegmentation(tx: ClientBase, found: readonly SegmentationFound[]): Promise<void> {
  const seen = seenIn(found);
  if (seen.length === 0) return;
  const noted = await readKeys(tx, [...new Set(seen.map(({ brand_id }) => brand_id))]);
  const baseValue = changedKeys(seen, noted);
  if (baseValue.length > 0) await writeKeys(tx, baseValue);
}

/** Every segmentation key of a brand, with its trait and the kinds of values seen under it. */
export async function readSegmentationKeys(
  db: Pool | ClientBase,
  { brand_id, settings }: Pick<Brand, 'brand_id' | 'settings'>,
): Promise<KeyMeaning<KeyRow>[]> {
  const rows = await readKeys(db, [brand_id]);
  return meaningsOf(
    Map.groupBy(rows, ({ key }) => key),
    settings,
  );
}

/** The operator's own traits of a player, by name, from the segmentation of the player's profile. */
export async function readSegmentationTraits(
  db: Pool | ClientBase,
  brand: Pick<Brand, 'brand_id' | 'settings'>,
  segmentation: JsonObject,
): Promise<Record<string, SegmentationReading>> {
  if (Object.keys(segmentation).length === 0) return {};
  return readingsOf(segmentation, await readSegmentationKeys(db, brand), brand.settings);
}
