import type { CatalogField } from './catalog.ts';
import type { Condition } from './tree.ts';

/** The kind of value that a condition has. */
export type ValueShape = 'none' | 'list' | 'range' | 'duration' | 'one';

const shapes: Readonly<Record<string, ValueShape>> = {
  null: 'none',
  notNull: 'none',
  in: 'list',
  notIn: 'list',
  between: 'range',
  notBetween: 'range',
  inLast: 'duration',
  notInLast: 'duration',
  inNext: 'duration',
  anniversaryWithin: 'duration',
};

export const shapeOf = (operator: string): ValueShape => shapes[operator] ?? 'one';

/**
 * Returns a first condition on a field, which the user can then edit. It has a sample value, or requires one fact in
 * the last 7 days.
 */
export function conditionOn(field: Pick<CatalogField, 'field' | 'kind' | 'operators' | 'sample'>): Condition {
  if (field.kind === 'fact') return { field: field.field, match: { mode: 'atLeast', threshold: 1 }, within: 'P7D' };
  // Most conditions on numbers require a minimum.
  const operator = field.kind === 'number' && field.operators.includes('>=') ? '>=' : (field.operators[0] ?? '=');
  return withOperator({ field: field.field }, operator, field.sample);
}

/** Returns the condition with another operator. The value stays if that operator accepts it. */
export function withOperator(
  { field, operator: former, value }: Condition,
  operator: string,
  sample: unknown,
): Condition {
  const shape = shapeOf(operator);
  if (shape === 'none') return { field, operator };
  const before = former === undefined ? 'none' : shapeOf(former);
  return { field, operator, value: before === shape ? value : converted(shape, before, value, sample) };
}

function converted(shape: ValueShape, before: ValueShape, value: unknown, sample: unknown): unknown {
  if (shape === 'duration') return 'P7D';
  const values = before === 'none' || before === 'duration' ? [sample] : Array.isArray(value) ? value : [value];
  const [first = sample, second = first] = values;
  if (shape === 'list') return values;
  return shape === 'range' ? [first, second] : first;
}

/**
 * Converts text to a value. Whole numbers become numbers. Decimals stay text, so that money is exact. The platform's
 * check reports anything else.
 */
export function numberOf(text: string): unknown {
  return /^-?(0|[1-9]\d{0,14})$/.test(text) && text !== '-0' ? Number(text) : text;
}

const simple = /^P(?:(\d+)(W|D)|T(\d+)(H|M|S))$/;

export interface SimpleDuration {
  count: string;
  unit: string;
}

/** Splits a duration: P7D becomes 7 and D. Returns undefined for a duration with several units. */
export function readSimpleDuration(text: unknown): SimpleDuration | undefined {
  const match = typeof text === 'string' ? simple.exec(text) : null;
  if (match === null) return undefined;
  return { count: match[1] ?? match[3] ?? '', unit: match[2] ?? match[4] ?? '' };
}

export const writeDuration = ({ count, unit }: SimpleDuration) =>
  'WD'.includes(unit) ? `P${count}${unit}` : `PT${count}${unit}`;
