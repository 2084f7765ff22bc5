/*
 * Compares the arms of a split. All values are estimates from samples, so they are computed in floating point; exact sums of
 * money are shown beside them.
 */

/** The measured values of some players in their windows. */
export interface Sample {
  players: number;
  sum: number;
  sum_of_squares: number;
}

/** The average difference per player between one sample and another. */
export interface Difference {
  difference: number;
  /** The 95 percent confidence interval of the difference. */
  low: number;
  high: number;
}

/** With fewer players in either sample, no interval is computed, because it would suggest more certainty than there is. */
export const fewestPlayers = 30;
/** Two-sided 95 percent of the normal distribution, which the mean of 30 and more players follows closely enough. */
const z95 = 1.96;

/** @returns null if either sample is too small. Variances may differ (Welch). */
export function compare(sample: Sample, control: Sample): Difference | null {
  if (sample.players < fewestPlayers || control.players < fewestPlayers) return null;
  const difference = sample.sum / sample.players - control.sum / control.players;
  const margin = z95 * Math.sqrt(variance(sample) / sample.players + variance(control) / control.players);
  return { difference, low: difference - margin, high: difference + margin };
}

/** The variance of a single player's value, estimated from the sample. */
function variance({ players, sum, sum_of_squares }: Sample): number {
  return Math.max(0, (sum_of_squares - (sum * sum) / players) / (players - 1));
}

export interface ArmSize {
  share: number;
  players: number;
}

/**
 * Whether the arms contain as many players as their shares require. A mismatch means that something other than the split
 * decides who is counted, so no comparison of the arms is valid.
 *
 * An arm is off if it is more than `alarmAt` standard deviations of the binomial distribution from its share. At 4, a correct
 * split of four arms causes a false alarm in one of 4,000 campaigns.
 */
export function sampleRatio(arms: readonly ArmSize[]): { mismatch: boolean; deviations: number[] } {
  const players = arms.reduce((sum, arm) => sum + arm.players, 0);
  const shares = arms.reduce((sum, arm) => sum + arm.share, 0);
  const deviations = arms.map(({ share, players: held }) => {
    const expected = shares === 0 ? 0 : share / shares;
    const deviation = Math.sqrt(players * expected * (1 - expected));
    return deviation === 0 ? 0 : (held - players * expected) / deviation;
  });
  return { mismatch: deviations.some((one) => Math.abs(one) > alarmAt), deviations };
}
export const alarmAt = 4;

/** The players of a control group and of the others, while the group had one size. */
export interface GroupSize {
  percent: number;
  players: number;
  /** How many of the players were in the group. */
  held_out: number;
}

/** As `sampleRatio`, for a control group whose size may have changed while players were counted. */
export function isGroupOff(sizes: readonly GroupSize[]): boolean {
  let difference = 0;
  let squares = 0;
  for (const { percent, players, held_out } of sizes) {
    const share = percent / 100;
    difference += held_out - players * share;
    squares += players * share * (1 - share);
  }
  return Math.abs(difference) > alarmAt * Math.sqrt(squares);
}
