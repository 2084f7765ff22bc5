import type { Operator } from './operator.ts';
import { valueKind, valueWords } from './values.ts';

function ordered(name: string, words: string, holds: (difference: number) => boolean): Operator {
  return {
    name,
    kinds: ['number', 'date'],
    check: (value, field) => valueKind(field).wrong(value),
    holds: ({ actual, value, field, reading }) => holds(valueKind(field).compare(actual, value, reading)),
    sql: (expression, value, writer, field) => `${expression} ${name} ${valueKind(field).sql(value, writer)}`,
    words: (value, field) => `${words} ${valueWords(value, field)}`,
  };
}

export const less = ordered('<', 'is less than', (difference) => difference < 0);
export const atMost = ordered('<=', 'is at most', (difference) => difference <= 0);
export const more = ordered('>', 'is more than', (difference) => difference > 0);
export const atLeast = ordered('>=', 'is at least', (difference) => difference >= 0);

/** Moments have separate operators: before and after an instant in the rule. */
export const before: Operator = {
  ...less,
  name: 'before',
  kinds: ['moment'],
  sql: (expression, value, writer, field) => less.sql(expression, value, writer, field),
  words: (value, field) => `is before ${valueWords(value, field)}`,
};

/** This includes the instant itself, so every moment is either before or after a given day. */
export const after: Operator = {
  ...atLeast,
  name: 'after',
  kinds: ['moment'],
  words: (value, field) => `is on or after ${valueWords(value, field)}`,
};
