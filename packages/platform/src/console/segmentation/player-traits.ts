import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { type Profile, readSegmentationTraits } from '../../operator/players/index.ts';
import { momentText } from '../routing/fields.ts';

/**
 * The operator's own traits, by name, in the form in which a player's traits are shown. They are as old as the profile. Their
 * names never equal those of the platform (brands/trait-names.ts), so the two can be merged.
 */
export async function presentSegmentationTraits(pool: Pool, brand: Brand, profile: Profile | null, now: Micros) {
  if (profile === null) return {};
  const traits = await readSegmentationTraits(pool, brand, profile.segmentation);
  const as_of = momentText(profile.as_of ?? now);
  return Object.fromEntries(
    Object.entries(traits).map(([name, { value, kind, unit }]) => {
      const isMoment = kind === 'timestamp' && typeof value === 'number';
      return [name, { value: isMoment ? momentText(value) : value, unit, as_of }];
    }),
  );
}
