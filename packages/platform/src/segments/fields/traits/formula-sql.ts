import type { Column, Formula } from '../../../derive/index.ts';

/**
 * A formula of totals as SQL, with the same result as `evaluateFormula`: numeric, or timestamptz for first and last
 * dates.
 */
export function formulaSql(formula: Formula, column: (column: Column) => string): string {
  if ('sum' in formula) {
    const addend = (name: Column) => `coalesce(${column(name)}, 0)`;
    const less = (formula.less ?? []).map((name) => ` - ${addend(name)}`).join('');
    return `(${formula.sum.map(addend).join(' + ')}${less})::numeric`;
  }
  if ('ratio' in formula) {
    return quotientSql(formulaSql(formula.ratio, column), formulaSql(formula.to, column));
  }
  if ('biggest' in formula) return `greatest(${formula.biggest.map(column).join(', ')})::numeric`;
  return 'first' in formula
    ? `least(${formula.first.map(column).join(', ')})`
    : `greatest(${formula.last.map(column).join(', ')})`;
}

/** One numeric divided by another, to 10 fraction digits; null for a division by zero. */
export function quotientSql(of: string, to: string): string {
  // div() is exact, while "/" rounds to 16 digits. The eleventh fraction digit decides how the tenth is rounded.
  return `case when ${to} <> 0 then trim_scale(round(div(${of} * 100000000000, ${to}) * 0.00000000001, 10)) end`;
}
