import type { DecimalText, Micros } from '@croupier/contracts';
import Big from 'big.js';
import type { Measures } from '../totals/index.ts';

/**
 * A column of the totals of a family, such as `casino.real_bet_sum`. `session` is a family whose columns are summed
 * from its rows (sessions.ts).
 */
export type Column = `${string}.${string}`;

/**
 * How a trait is computed from totals. It is data instead of a function, because it is used in two ways: evaluated here
 * for one player, and compiled to SQL for all players of a brand.
 */
export type Formula =
  /** The sum of the columns `sum`, minus the sum of the columns `less`. */
  | { readonly sum: readonly Column[]; readonly less?: readonly Column[] }
  /** `ratio` divided by `to`; null if `to` is zero. Averages and ratios are computed from sums, never from other averages. */
  | { readonly ratio: Formula; readonly to: Formula }
  | { readonly biggest: readonly Column[] }
  | { readonly first: readonly Column[] }
  | { readonly last: readonly Column[] };

/** The measures of a family, over one window or the lifetime. */
export type MeasuresOf = (family: string) => Measures;

/** Quotients cannot be exact. They have 10 fraction digits, rounded half up, far below any currency's smallest unit. */
const Rounded = Big();
Rounded.DP = 10;
Rounded.RM = Big.roundHalfUp;

/** @returns decimal text, Micros for first and last, or null if there is no value */
export function evaluate(formula: Formula, measuresOf: MeasuresOf): DecimalText | Micros | null {
  if ('sum' in formula) return sumOf(formula, measuresOf);
  if ('ratio' in formula) {
    return quotient(evaluate(formula.ratio, measuresOf) ?? 0, evaluate(formula.to, measuresOf) ?? 0);
  }
  if ('biggest' in formula) {
    const values = formula.biggest.flatMap((column) => {
      const { family, name } = placeOf(column);
      return measuresOf(family).biggest[name] ?? [];
    });
    return values.reduce<DecimalText | null>(
      (most, value) => (most !== null && new Big(most).gte(value) ? most : value),
      null,
    );
  }
  const [columns, of] = 'first' in formula ? [formula.first, Math.min] : [formula.last, Math.max];
  const values = columns.flatMap((column) => {
    const { family, name } = placeOf(column);
    return measuresOf(family).dates[name] ?? [];
  });
  return values.length === 0 ? null : of(...values);
}

/** @returns null for a division by zero */
export function quotient(of: DecimalText | number, to: DecimalText | number): DecimalText | null {
  return new Big(to).eq(0) ? null : new Rounded(of).div(to).toFixed();
}

function sumOf({ sum, less = [] }: Extract<Formula, { sum: unknown }>, measuresOf: MeasuresOf): DecimalText {
  const [only] = sum;
  if (sum.length === 1 && less.length === 0 && only !== undefined) return String(addend(only, measuresOf));
  let total = new Big(0);
  for (const column of sum) total = total.plus(addend(column, measuresOf));
  for (const column of less) total = total.minus(addend(column, measuresOf));
  return total.toFixed();
}

function addend(column: Column, measuresOf: MeasuresOf): number | DecimalText {
  const { family, name } = placeOf(column);
  const { counts, sums } = measuresOf(family);
  return counts[name] ?? sums[name] ?? 0;
}

interface Place {
  readonly family: string;
  readonly name: string;
}

/** This is a cache, because segments look up the same few hundred columns a hundred thousand times a second. */
const places = new Map<Column, Place>();

/** The family of a column, and its name in the tables of the family. */
export function placeOf(column: Column): Place {
  const known = places.get(column);
  if (known !== undefined) return known;
  const [family = '', name = ''] = column.split('.');
  const place = { family, name };
  places.set(column, place);
  return place;
}

/** All columns that a formula uses. */
export function columnsOf(formula: Formula): readonly Column[] {
  if ('sum' in formula) return [...formula.sum, ...(formula.less ?? [])];
  if ('ratio' in formula) return [...columnsOf(formula.ratio), ...columnsOf(formula.to)];
  if ('biggest' in formula) return formula.biggest;
  return 'first' in formula ? formula.first : formula.last;
}
