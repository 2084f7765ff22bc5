/*
 * What arms of a split did, compared. All of it is an estimate over samples, so it is done in floating point; exact sums of money are shown
 * beside it.
 */

/** What some players did in their windows. */
export interface Sample {
  players: number;
  sum: number;
  sum_of_squares: number;
}

/** How much more a player of one sample did than a player of another, on average. */
export interface Difference {
  difference: number;
  /** The 95 percent confidence interval of the difference. */
  low: number;
  high: number;
}

/** Below this many players in either sample, no interval is given: it would say more than is known. */
export const fewestPlayers = 30;
/** Two-sided 95 percent of the normal distribution, which the mean of 30 and more players follows closely enough. */
const z95 = 1.96;

/** @returns null where either sample is too small. Variances may differ (Welch). */
export function compare(sample: Sample, control: Sample): Difference | null {
  if (sample.players < fewestPlayers || control.players < fewestPlayers) return null;
  const difference = sample.sum / sample.players - control.sum / control.players;
  const margin = z95 * Math.sqrt(variance(sample) / sample.players + variance(control) / control.players);
  return { difference, low: difference - margin, high: difference + margin };
}

/** Of a single player, estimated from the sample. */
function variance({ players, sum, sum_of_squares }: Sample): number {
  return Math.max(0, (sum_of_squares - (sum * sum) / players) / (players - 1));
}

export interface ArmSize {
  share: number;
  players: number;
}

/**
 * Whether the arms hold as many players as their shares ask for. A mismatch means that something other than the split decides who
 * is counted, and then no comparison of the arms can be believed.
 *
 * An arm is off when it is more than `alarmAt` standard deviations of the binomial distribution from its share. At 4, a sound split of four arms
 * gives a false alarm once in 4,000 campaigns.
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
