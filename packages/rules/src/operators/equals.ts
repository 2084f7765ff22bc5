import { complementOf, type Operator } from './operator.ts';
import { valueKind, valueWords } from './values.ts';

export const equals: Operator = {
  name: '=',
  kinds: ['number', 'text', 'date', 'status', 'flag'],
  check: (value, field) => valueKind(field).wrong(value),
  holds: ({ actual, value, field, reading }) => valueKind(field).compare(actual, value, reading) === 0,
  sql: (expression, value, writer, field) => `${expression} = ${valueKind(field).sql(value, writer)}`,
  words: (value, field) => `is ${valueWords(value, field)}`,
};

export const notEquals = complementOf(equals, '!=', (value, field) =>
  field.kind === 'flag' || field.kind === 'status'
    ? `is not ${valueWords(value, field)}`
    : `is not ${valueWords(value, field)} (or has no value)`,
);
