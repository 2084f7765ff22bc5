/** The counts among the players of a sample. */
export interface Counted {
  /** The number of players counted. */
  players: number;
  /** Players who satisfy the rule and are not protected. */
  holds: number;
  /** Players who satisfy it and are protected. */
  protected: number;
  /** For each condition: the number of players who would satisfy the rule without it and are not protected. */
  without: number[];
}

export interface Estimated {
  count: number;
  protected: number;
  removes: number[];
  /** 19 of 20 estimates are at most this far from the true value; null for an exact count. */
  error: number | null;
}

/** A normally distributed value is within this many standard deviations of its mean in 19 of 20 cases. */
const deviations = 1.96;

/**
 * Projects a sample to all players: each counted player represents the same number of others.
 *
 * @param total the number of players; the count is exact if all of them were counted
 */
export function estimate(counted: Counted, total: number): Estimated {
  const { players } = counted;
  const exact = players >= total;
  const scale = exact ? 1 : total / players;
  const scaled = (count: number) => Math.round(count * scale);
  return {
    count: scaled(counted.holds),
    protected: scaled(counted.protected),
    removes: counted.without.map((count) => scaled(count - counted.holds)),
    error: exact ? null : Math.ceil(errorOf(counted.holds / players, players, total)),
  };
}

/**
 * The longer side of Wilson's interval. An error of 1.96 standard deviations is too small if the sample has few matches. If 3
 * matches are expected, a fifth of the samples have at most one match, and their stated error would be below 2.
 *
 * @param players the sample; the interval shrinks to nothing as it approaches `total`
 */
function errorOf(share: number, players: number, total: number): number {
  const independent = players / (1 - players / total);
  const added = deviations ** 2 / independent;
  const middle = (share + added / 2) / (1 + added);
  const half = (deviations * Math.sqrt((share * (1 - share)) / independent + added / (4 * independent))) / (1 + added);
  return Math.max(middle + half - share, share - middle + half) * total;
}

export function addCounted(a: Counted, b: Counted): Counted {
  return {
    players: a.players + b.players,
    holds: a.holds + b.holds,
    protected: a.protected + b.protected,
    without: b.without.map((count, i) => count + (a.without[i] ?? 0)),
  };
}

export const changeNames = ['enters', 'leaves', 'stays'] as const;
export type ChangeName = (typeof changeNames)[number];

/** What would change for the players of a sample. */
export interface CountedChanges {
  /** The number of players counted. */
  players: number;
  counts: Record<ChangeName, number>;
  /** player_ids of a few players for each change. */
  samples: Record<ChangeName, number[]>;
}

export interface EstimatedChanges {
  counts: Record<ChangeName, number>;
  samples: Record<ChangeName, number[]>;
  exact: boolean;
  /** 19 of 20 estimates are at most this far from the true value; null for exact counts. */
  errors: Record<ChangeName, number> | null;
}

export function estimateChanges({ players, counts, samples }: CountedChanges, total: number): EstimatedChanges {
  const exact = players >= total;
  const scale = exact ? 1 : total / players;
  const each = (value: (count: number) => number) =>
    Object.fromEntries(changeNames.map((name) => [name, value(counts[name])])) as Record<ChangeName, number>;
  return {
    counts: each((count) => Math.round(count * scale)),
    samples,
    exact,
    errors: exact ? null : each((count) => Math.ceil(errorOf(count / players, players, total))),
  };
}

export function addChanges(a: CountedChanges, b: CountedChanges, sampleSize: number): CountedChanges {
  const counts = { ...a.counts };
  const samples = { ...a.samples };
  for (const name of changeNames) {
    counts[name] += b.counts[name];
    samples[name] = [...samples[name], ...b.samples[name]].slice(0, sampleSize);
  }
  return { players: a.players + b.players, counts, samples };
}
