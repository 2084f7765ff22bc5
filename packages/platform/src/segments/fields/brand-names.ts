import { blockTypes, consentTypes } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { readSegmentationKeys } from '../../operator/players/index.ts';
import type { SegmentationKey } from './segmentation.ts';

export type RuleBrand = Pick<Brand, 'brand_id' | 'settings'>;

/** The names of fields that a brand has beside those of the platform. */
export interface BrandNames {
  readonly segmentation: readonly SegmentationKey[];
  /** Types beyond those of the interface are named by the rule as the operator spells them. */
  readonly consents: readonly string[];
  readonly blocks: readonly string[];
  /** Codes of the segments that a rule may ask for. */
  readonly segments: ReadonlySet<string>;
  /** Tags that were set. Rules may name others. */
  readonly tags: ReadonlySet<string>;
}

/** Reads what the brand's operator has named; segments and tags come from whoever keeps them. */
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
