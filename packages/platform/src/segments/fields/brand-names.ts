import { blockTypes, consentTypes } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { readSegmentationKeys } from '../../operator/players/index.ts';
import type { SegmentationKey } from './segmentation.ts';

export type RuleBrand = Pick<Brand, 'brand_id' | 'settings'>;

/** The names of fields that a brand has in addition to the platform's. */
export interface BrandNames {
  readonly segmentation: readonly SegmentationKey[];
  /** Types of consents. A type that the interface does not define has the operator's spelling. */
  readonly consents: readonly string[];
  readonly blocks: readonly string[];
  /** Codes of the segments that a rule may refer to. */
  readonly segments: ReadonlySet<string>;
  /** Tags that were set. Rules may also use other names. */
  readonly tags: ReadonlySet<string>;
}

/** Reads the names that the brand's operator uses. The caller provides segments and tags. */
export async function readBrandNames(
  db: Pool | ClientBase,
  brand: RuleBrand,
  own: Pick<BrandNames, 'segments' | 'tags'> = { segments: new Set(), tags: new Set() },
): Promise<BrandNames> {
  const keys = await readSegmentationKeys(db, brand);
  const segmentation = keys.flatMap(({ key, trait, seen }): SegmentationKey[] =>
    trait === null ? [] : [{ key, kind: trait.kind, unit: trait.unit, sample: seen[0]?.sample ?? null }],
  );
  return { segmentation, consents: consentTypes, blocks: blockTypes, ...own };
}
