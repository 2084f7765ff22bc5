import type { DecimalText, Micros } from '@croupier/contracts';

/*
 * Totals: the sums over a family of facts, in four tables (README.md has their DDL):
 *
 *   <family>_total      per player, lifetime
 *   <family>_day        per player and day of the brand's time zone, for "today" and "last N days"
 *   <family>_hour       per player and UTC hour, for "last N hours"; kept for `hoursKept`
 *   <family>_brand_day  per brand and day: the roll-up of the day rows of all its players
 *
 * Any window is a sum of such rows, so it moves with the clock, and no event is needed to expire it.
 *
 * Counts and sums are changed by deltas: the former contribution of a changed fact is subtracted, and its new
 * contribution is added. For extremes (the biggest amount, first and last dates), a delta can only extend the range. If
 * an extreme is removed, nothing in the same batch exceeds it, and the row contains exactly that value, it is read again.
 * That only happens after a rollback or a correction, so a typical batch costs one statement per table.
 */
export interface TotalsSpec {
  /** Prefix of the four tables. */
  readonly family: string;
  /**
   * Text columns by which lifetime and day rows are split further, such as vendor_id and game_id. Code that reads the
   * player's totals adds the rows up; code that looks for a favorite compares them. Rows per hour and of the brand are
   * not split.
   */
  readonly by?: readonly string[];
  /** int columns that are summed. A row whose counts and sums are all zero is deleted. */
  readonly counts: readonly string[];
  /** numeric columns that are summed. No part may be negative: otherwise a row with parts could look empty. */
  readonly sums: readonly string[];
  /** numeric columns that contain the largest value of any part. */
  readonly biggest: readonly string[];
  /**
   * Names with columns <name>_first_at and <name>_last_at in the lifetime table. A part has a date under a name only if
   * it counts in <name>_count. So the day rows show on which day to look for the first and the last.
   */
  readonly dated: readonly string[];
  /**
   * SQL with one row per part that has an extreme: player_id, at, day, the columns of `by`, and the value of each extreme. The
   * value is named like the column of `biggest`, or <name>_at for one of `dated`. It is null if the part has none.
   */
  readonly facts: string;
  /**
   * Like `facts`, but with at least the rows whose `at` is between `since` (inclusive) and `until` (exclusive), two SQL
   * expressions. Needed if a condition on `at` alone cannot use an index (player_id, ...): a rollback must not read all
   * facts of its player.
   */
  readonly factsWithin?: (since: string, until: string) => string;
  /**
   * True if its facts are not kept forever. Table <family>_floor then contains the first and last dates of removed
   * facts, by player and `by`. Code that reads dates from the facts again must also read that table (floor.ts). The
   * biggest is read from the day rows, which stay.
   */
  readonly forgets?: boolean;
}

/**
 * What a fact adds to the totals of its player at one moment. A fact has one part per moment: a round adds its bets
 * when they were placed and its wins when they came. Omitted columns get nothing. A part without any count or sum is
 * ignored, including its extremes.
 */
export interface Part {
  player_id: number;
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  /** Values of `TotalsSpec.by`; the default is ''. */
  by?: Readonly<Record<string, string>>;
  counts: Readonly<Record<string, number>>;
  sums?: Readonly<Record<string, DecimalText>>;
  biggest?: Readonly<Record<string, DecimalText>>;
  dated?: readonly string[];
}

export const hour: Micros = 3_600_000_000;

/**
 * How many hours the rows per hour are kept. The longest window is 48. The rest allows for clocks that step, because
 * rows older than this are neither written nor changed.
 */
export const hoursKept = 72;

export function hourOf(at: Micros): Micros {
  return Math.floor(at / hour) * hour;
}

export function keepsHour(at: Micros, now: Micros): boolean {
  return at > now - hoursKept * hour;
}
