import { isSameJson } from '../ui/same-json.ts';

/** Settings in the same form as in the API: nested objects. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the value at a path such as `push.contact`. */
export function valueAt(values: Values, path: string): unknown {
  let value: unknown = values;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Values)[key];
  }
  return value;
}

/** Returns the values with another value at the path. Undefined removes it. Pure. */
export function withValue(values: Values, path: string, to: unknown): Values {
  const [key = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const inner = values[key];
    const below = typeof inner === 'object' && inner !== null ? (inner as Values) : {};
    return { ...values, [key]: withValue(below, rest.join('.'), to) };
  }
  const { [key]: _, ...others } = values;
  return to === undefined ? others : { ...others, [key]: to };
}

/**
 * Returns whether two forms contain the same values. The order of the fields makes no difference, and an empty text equals no value. Pure.
 */
export function areSameValues(one: Values, other: Values): boolean {
  return isSameJson(withoutEmpty(one), withoutEmpty(other));
}

/** Returns a value without the fields that are empty, at any depth. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(value).filter(([, inner]) => inner !== '' && inner !== undefined);
  return Object.fromEntries(filled.map(([name, inner]) => [name, withoutEmpty(inner)]));
}

/** Returns the top-level settings that differ. Each setting is written as a whole. Pure. */
export function changedValues(before: Values, after: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !areSameValues({ value }, { value: before[name] })),
  );
}
