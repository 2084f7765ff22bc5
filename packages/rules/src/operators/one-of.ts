import { complementOf, type Operator } from './operator.ts';
import { kindsOfValue, valueKind, valueWords } from './values.ts';

/** The maximum number of values in one list. */
const maxValues = 1_000;

/** Builders also write lists as texts with commas: `MT,SE`, and `MT` for a list of one value. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').map((one) => one.trim()) : undefined;
}

const types = { number: 'numeric[]', text: 'text[]', status: 'text[]', list: 'text[]' } as const;

export const oneOf: Operator = {
  name: 'in',
  kinds: ['number', 'text', 'status', 'list'],
  check: (value, field) => {
    const values = listOf(value);
    if (values === undefined || values.length === 0 || values.length > maxValues)
      return `must be a list of 1 to ${maxValues} values`;
    const wrong = values.map((one) => valueKind(field).wrong(one)).find((one) => one !== undefined);
    return wrong && `each value ${wrong}`;
  },
  holds: ({ actual, value, field, reading }) => {
    const values = listOf(value) ?? [];
    if (Array.isArray(actual)) return values.some((one) => actual.includes(one));
    return values.some((one) => valueKind(field).compare(actual, one, reading) === 0);
  },
  sql: (expression, value, writer, field) => {
    const values = writer.parameter((listOf(value) ?? []).map(String), types[field.kind as keyof typeof types]);
    return field.kind === 'list' ? `${expression} && ${values}` : `${expression} = any(${values})`;
  },
  words: (value, field) => `is one of ${(listOf(value) ?? []).map((one) => valueWords(one, field)).join(', ')}`,
};

export const noneOf = complementOf(
  oneOf,
  'notIn',
  (value, field) =>
    `is none of ${(listOf(value) ?? []).map((one) => valueWords(one, field)).join(', ')} (or has no value)`,
);

/** For lists such as roles: contains this text. */
export const includes: Operator = {
  name: 'contains',
  kinds: ['list'],
  check: (value) => kindsOfValue.text.wrong(value),
  holds: ({ actual, value }) => Array.isArray(actual) && actual.includes(value),
  sql: (expression, value, writer) => `${writer.parameter(value, 'text')} = any(${expression})`,
  words: (value) => `includes ${String(value)}`,
};
