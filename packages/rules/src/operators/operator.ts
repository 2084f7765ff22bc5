import type { Micros } from '@croupier/contracts';
import type { Field } from '../field.ts';
import type { SqlWriter } from '../sql-writer.ts';
import type { FieldKind, Reading, Value } from '../value.ts';

/** A condition with the value of one player. */
export interface Compared {
  readonly actual: Exclude<Value, null>;
  /** The value in the rule, already checked. */
  readonly value: unknown;
  readonly field: Field;
  readonly reading: Reading;
}

/**
 * One way to compare a field with a value. Each operator is defined twice: `holds` for one player in memory, `sql` for
 * all players at once. The property test in `test/` compares both in PostgreSQL.
 */
export interface Operator {
  readonly name: string;
  readonly kinds: readonly FieldKind[];
  /** The error in the value of a condition, or undefined. */
  check(value: unknown, field: Field): string | undefined;
  /**
   * Why a valid value gives every player the same answer; undefined if it does not. A new rule may not contain such a value. A stored
   * one is still read, because an earlier version accepted it.
   */
  pointless?(value: unknown, field: Field): string | undefined;
  /** The answer for a player without a value. Default: false. */
  readonly withoutValue?: boolean;
  holds(compared: Compared): boolean;
  /** The first moment after `reading.at` at which the answer may change with time alone. Default: never. */
  changesAfter?(compared: Compared): Micros | undefined;
  /** A boolean expression; SQL null if the player has no value. */
  sql(expression: string, value: unknown, writer: SqlWriter, field: Field): string;
  /**
   * SQL moments at which the answer may change with time alone, the same as `changesAfter`. Past moments do no harm.
   * Default: none.
   */
  changesSql?(expression: string, value: unknown, writer: SqlWriter): string[];
  /** "is at least 2": the words after the title of the field in the sentence. */
  words(value: unknown, field: Field): string;
}

/** The exact complement: holds whenever `operator` does not, including for players without a value. */
export function complementOf(operator: Operator, name: string, words: Operator['words']): Operator {
  return {
    ...operator,
    name,
    withoutValue: operator.withoutValue !== true,
    holds: (compared) => !operator.holds(compared),
    sql: (expression, value, writer, field) => `not (${operator.sql(expression, value, writer, field)})`,
    words,
  };
}

/** The first of the moments that is after `at`. */
export function firstAfter(at: Micros, ...moments: (Micros | undefined)[]): Micros | undefined {
  let first: Micros | undefined;
  for (const moment of moments) {
    if (moment !== undefined && moment > at && (first === undefined || moment < first)) first = moment;
  }
  return first;
}
