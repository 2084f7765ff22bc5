import type { Micros } from '@croupier/contracts';
import type { Field } from '../field.ts';
import type { SqlWriter } from '../sql-writer.ts';
import type { FieldKind, Reading, Value } from '../value.ts';

/** A condition with the value of one player. */
export interface Compared {
  readonly actual: Exclude<Value, null>;
  /** What the rule says; checked before. */
  readonly value: unknown;
  readonly field: Field;
  readonly reading: Reading;
}

/**
 * One way to compare a field with a value. Each operator says the same thing twice: `holds` for one player in memory, `sql` for all
 * players at once. The property test in `test/` proves that both agree, with PostgreSQL as the judge.
 */
export interface Operator {
  readonly name: string;
  readonly kinds: readonly FieldKind[];
  /** What is wrong with the value of a condition, or undefined. */
  check(value: unknown, field: Field): string | undefined;
  /** The answer for a player who has no value. Default: false. */
  readonly withoutValue?: boolean;
  holds(compared: Compared): boolean;
  /** The first moment after `reading.at` at which the answer may change by the passing of time alone. Default: never. */
  changesAfter?(compared: Compared): Micros | undefined;
  /** A boolean expression; SQL null where the player has no value. */
  sql(expression: string, value: unknown, writer: SqlWriter, field: Field): string;
  /** SQL moments at which the answer may change by the passing of time alone, those of `changesAfter`; past ones do no harm. Default: none. */
  changesSql?(expression: string, value: unknown, writer: SqlWriter): string[];
  /** "is at least 2": what follows the title of the field in the sentence. */
  words(value: unknown, field: Field): string;
}

/** The exact complement: holds wherever `operator` does not, players without a value included. */
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

/** The first of some moments that lies after `at`. */
export function firstAfter(at: Micros, ...moments: (Micros | undefined)[]): Micros | undefined {
  const later = moments.filter((moment): moment is Micros => moment !== undefined && moment > at);
  return later.length === 0 ? undefined : Math.min(...later);
}
