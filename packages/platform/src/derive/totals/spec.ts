import type { DecimalText, Micros } from '@croupier/contracts';

/*
 * Totals: what a family of facts adds up to, per player, in three tables of real columns:
 *
 *   <family>_total   lifetime
 *   <family>_day     per day of the brand's time zone, for "today" and "last N days"
 *   <family>_hour    per UTC hour, for "last N hours"; kept for `hoursKept`
 *
 * Any window is a sum of such rows, so it moves with the clock by itself and no event has to expire it.
 *
 * Counts and sums take deltas: what a changed fact was worth before is subtracted, what it is worth now is added. Extremes
 * (the biggest amount, first and last dates) only take additions that way; when a fact leaves, those of the rows it
 * leaves are read from the facts again. Leaving is rare (a rollback), so the common batch costs one statement per table.
 */
export interface TotalsSpec {
  /** Prefix of the three tables. */
  readonly family: string;
  /**
   * Text columns by which lifetime and day rows are split further, such as vendor_id and game_id. Who reads the player's
   * totals adds the rows up; who looks for a favourite compares them. Rows per hour and of the brand are not split.
   */
  readonly by?: readonly string[];
  /** int columns that add up. A row whose counts are all zero says nothing and is deleted. */
  readonly counts: readonly string[];
  /** numeric columns that add up. */
  readonly sums: readonly string[];
  /** numeric columns that hold the largest value of one fact. */
  readonly biggest: readonly string[];
  /** Names whose columns <name>_first_at and <name>_last_at stand in the lifetime table. */
  readonly dated: readonly string[];
  /**
   * SQL of one row per counted part of a fact: player_id, at, day, the columns of `by`, and for each extreme its value under the name of the column of
   * `biggest`, or <name>_at for one of `dated`; null where the fact has no part in it.
   */
  readonly facts: string;
}

/**
 * What a fact adds to the totals of its player at one moment. A fact has as many parts as it has moments: a round adds its
 * bets when they were placed and its wins when they came. Columns that are left out get nothing.
 */
export interface Part {
  player_id: number;
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  /** Values of `TotalsSpec.by`. */
  by?: Readonly<Record<string, string>>;
  counts: Readonly<Record<string, number>>;
  sums?: Readonly<Record<string, DecimalText>>;
  biggest?: Readonly<Record<string, DecimalText>>;
  dated?: readonly string[];
}

export const hour: Micros = 3_600_000_000;

/**
 * Hours that rows per hour are kept: the longest window is 48. The rest is there for clocks that step, since rows older
 * than this are neither written nor changed.
 */
export const hoursKept = 72;

export function hourOf(at: Micros): Micros {
  return Math.floor(at / hour) * hour;
}

export function keepsHour(at: Micros, now: Micros): boolean {
  return at > now - hoursKept * hour;
}
