import type { Micros } from '@croupier/contracts';
import type { Field, Rowless, Value } from '@croupier/rules';
import type { Joins } from './joins.ts';
import type { LoadPlan, PlayerRows } from './load-plan.ts';

/**
 * One field of the catalogue with where its value is found, said once for all players and once for a few in memory.
 *
 * Most values stand still until news arrives. For them `sql` is all there is: views load what it gives. Windows, ages and days since a
 * moment move with the clock, so they say in `timed` what to load and what follows from it at any moment.
 */
export interface FieldReading {
  readonly field: Field;
  /** SQL of the value of the player `p`, of the type of its kind. */
  sql(joins: Joins): string;
  /** SQL of the first moment at which the value may change without news, as `changesAfter` of the timed value. Left out: it stays. */
  changesSql?(joins: Joins): string;
  /** Its value for players of whom the one join that it reads has no row. Left out: it reads several, or that is not known. */
  rowless?(joins: Joins): Rowless;
  timed?(loads: LoadPlan): (rows: PlayerRows) => TimedValue;
}

/** A value that moves with the clock. */
export interface TimedValue {
  value(at: Micros): Value;
  /** The first moment after `at` at which it may differ. May be too early, never too late. */
  changesAfter(at: Micros): Micros | undefined;
}
