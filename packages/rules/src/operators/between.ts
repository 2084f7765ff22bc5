import { complementOf, type Operator } from './operator.ts';
import { valueKind, valueWords } from './values.ts';

/** Both ends are inclusive. Also accepts one text with a comma, because builders write ranges that way. */
export function rangeOf(value: unknown): readonly [unknown, unknown] | undefined {
  const ends = typeof value === 'string' ? value.split(',').map((end) => end.trim()) : value;
  return Array.isArray(ends) && ends.length === 2 ? [ends[0], ends[1]] : undefined;
}

function rangeWords(value: unknown, field: Parameters<Operator['words']>[1]): string {
  const [from, to] = rangeOf(value) ?? [];
  return `${valueWords(from, field)} and ${valueWords(to, field)}`;
}

export const between: Operator = {
  name: 'between',
  kinds: ['number', 'moment', 'date'],
  check: (value, field) => {
    const range = rangeOf(value);
    if (range === undefined) return 'must be two values: the lowest and the highest';
    const kind = valueKind(field);
    const wrong = range.map((end) => kind.wrong(end)).find((one) => one !== undefined);
    return wrong && `both values: ${wrong}`;
  },
  pointless: (value, field) => {
    const [from, to] = rangeOf(value) ?? [];
    return valueKind(field).isAfter(from, to) ? 'must begin with the lowest value' : undefined;
  },
  holds: ({ actual, value, field, reading }) => {
    const [from, to] = rangeOf(value) ?? [];
    const kind = valueKind(field);
    return kind.compare(actual, from, reading) >= 0 && kind.compare(actual, to, reading) <= 0;
  },
  sql: (expression, value, writer, field) => {
    const [from, to] = rangeOf(value) ?? [];
    const kind = valueKind(field);
    return `${expression} between ${kind.sql(from, writer)} and ${kind.sql(to, writer)}`;
  },
  words: (value, field) => `is between ${rangeWords(value, field)}`,
};

export const notBetween = complementOf(
  between,
  'notBetween',
  (value, field) => `is not between ${rangeWords(value, field)} (or has no value)`,
);
