import { place } from '../hash.ts';

/**
 * Whether a player is in the brand's control group of this percentage. If the percentage grows, the players of the group
 * stay in it.
 */
export function isHeldOut(brandSeed: string, percent: number): boolean {
  return place(`holdout ${brandSeed}`) < percent * 100;
}
