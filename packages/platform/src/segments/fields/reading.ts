import type { Micros } from '@croupier/contracts';
import type { Comparison, Field, Rowless, Value } from '@croupier/rules';
import type { Joins } from './joins.ts';
import type { LoadPlan, PlayerRows } from './load-plan.ts';

/**
 * One field of the catalog, and two ways to read its value: by SQL for all players, and in memory for a few players.
 *
 * Most values change only when something about the player changes. For them `sql` is enough: views load its result. Windows, ages and days
 * since a moment also change with the clock, so `timed` defines what to load and how to compute the value at any moment.
 */
export interface FieldReading {
  readonly field: Field;
  /** SQL of the value of the player `p`, in the type of its kind. */
  sql(joins: Joins): string;
  /**
   * SQL of the first moment at which time alone may change the value, like `changesAfter` of the timed value. Omitted if time does not
   * change it.
   */
  changesSql?(joins: Joins): string;
  /**
   * The value for players without a row in the only join that the field reads. Omitted if the field reads several joins, or if the value is
   * unknown.
   */
  rowless?(joins: Joins): Rowless;
  /**
   * SQL that is true exactly if a comparison holds, for PostgreSQL's estimates (`SqlSource.comparison`). If it returns undefined, the
   * value of `sql` is compared.
   */
  comparison?(node: Comparison, joins: Joins): string | undefined;
  timed?(loads: LoadPlan): (rows: PlayerRows) => TimedValue;
}

/** A value that changes with the clock. */
export interface TimedValue {
  value(at: Micros): Value;
  /** The first moment after `at` at which it may differ. It may be too early, but never too late. */
  changesAfter(at: Micros): Micros | undefined;
}
