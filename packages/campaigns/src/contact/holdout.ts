import { place } from '../hash.ts';

/** Whether a player is in the brand's control group of this percentage. A player in it stays in it when it grows. */
export function isHeldOut(brandSeed: string, percent: number): boolean {
  return place(`holdout ${brandSeed}`) < percent * 100;
}
