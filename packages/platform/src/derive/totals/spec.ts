import type { DecimalText, Micros } from '@croupier/contracts';

/*
 * Totals: what a family of facts adds up to, in four tables of real columns (README.md has their DDL):
 *
 *   <family>_total      per player, lifetime
 *   <family>_day        per player and day of the brand's time zone, for "today" and "last N days"
 *   <family>_hour       per player and UTC hour, for "last N hours"; kept for `hoursKept`
 *   <family>_brand_day  per brand and day: the roll-up of the day rows of all its players
 *
 * Any window is a sum of such rows, so it moves with the clock by itself and no event has to expire it.
 *
 * Counts and sums take deltas: what a changed fact was worth before is subtracted, what it is worth now is added. Extremes
 * (the biggest amount, first and last dates) only take additions that way. Where one is taken away that nothing of the same
 * batch outdoes, and the row holds just that value, it is read again. That takes a rollback or a correction: the common batch
 * costs one statement per table.
 */
export interface TotalsSpec {
  /** Prefix of the four tables. */
  readonly family: string;
  /**
   * Text columns by which lifetime and day rows are split further, such as vendor_id and game_id. Who reads the player's
   * totals adds the rows up; who looks for a favourite compares them. Rows per hour and of the brand are not split.
   */
  readonly by?: readonly string[];
  /** int columns that add up. A row whose counts and sums are all zero says nothing and is deleted. */
  readonly counts: readonly string[];
  /** numeric columns that add up. No part may take from them: with a negative one a row of parts could look empty. */
  readonly sums: readonly string[];
  /** numeric columns that hold the largest value of one part. */
  readonly biggest: readonly string[];
  /**
   * Names whose columns <name>_first_at and <name>_last_at stand in the lifetime table. A part is dated by a name exactly if it
   * counts in <name>_count: so day rows tell on which day to look for the first and the last.
   */
  readonly dated: readonly string[];
  /**
   * SQL of one row per part with an extreme: player_id, at, day, the columns of `by`, and for each extreme its value under the
   * name of the column of `biggest`, or <name>_at for one of `dated`; null where the part has none.
   */
  readonly facts: string;
  /**
   * The same, and at least those with `at` from `since` (included) to `until` (not included), two SQL expressions. For facts of
   * which a condition on `at` finds no index (player_id, ...) by itself: a rollback must not read all facts of its player.
   */
  readonly factsWithin?: (since: string, until: string) => string;
  /**
   * Its facts are not kept for ever. The first and last dates of those that are gone stand in table <family>_floor, by player and
   * `by`: whoever reads dates from the facts again reads them too (floor.ts). The biggest is read from the day rows, which stay.
   */
  readonly forgets?: boolean;
}

/**
 * What a fact adds to the totals of its player at one moment. A fact has as many parts as it has moments: a round adds its
 * bets when they were placed and its wins when they came. Columns that are left out get nothing. A part without any count or
 * sum is none: its extremes do not count either.
 */
export interface Part {
  player_id: number;
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  /** Values of `TotalsSpec.by`; '' where one is left out. */
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
export const retainedHours = 72;

export function hourOf(at: Micros): Micros {
  return Math.floor(at / hour) * hour;
}

export function keepsHour(at: Micros, now: Micros): boolean {
  return at > now - retainedHours * hour;
}
