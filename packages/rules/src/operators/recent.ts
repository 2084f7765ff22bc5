import { longestDuration, readDuration, shortestDuration, spanWords } from '../duration.ts';
import type { Field } from '../field.ts';
import { complementOf, firstAfter, type Operator } from './operator.ts';

/*
 * Compares moments with the moment of evaluation. A time span is exclusive at its old end and inclusive at its new one, so
 * a span of 7 days that begins with a deposit ends exactly 7 days later.
 */
function checkDuration(value: unknown): string | undefined {
  const length = typeof value === 'string' ? readDuration(value) : undefined;
  return length !== undefined && length >= shortestDuration && length <= longestDuration
    ? undefined
    : 'must be an ISO 8601 duration from PT1M to P366D, in weeks, days, hours, minutes or seconds, for example P7D';
}

const lengthOf = (value: unknown) => readDuration(String(value)) ?? 0;
const stretch = (value: unknown) => spanWords(String(value));

/** at - length < moment <= at. */
export const inLast: Operator = {
  name: 'inLast',
  kinds: ['moment'],
  check: checkDuration,
  holds: ({ actual, value, reading: { at } }) => Number(actual) > at - lengthOf(value) && Number(actual) <= at,
  changesAfter: ({ actual, value, reading: { at } }) =>
    firstAfter(at, Number(actual), Number(actual) + lengthOf(value)),
  sql: (expression, value, writer) =>
    `(${expression} > ${writer.moment(writer.reading.at - lengthOf(value))} and ${expression} <= ${writer.now()})`,
  changesSql: (expression, value, writer) => [
    expression,
    `${expression} + ${writer.parameter(`${lengthOf(value)} microseconds`, 'interval')}`,
  ],
  words: (value) => `is in the last ${stretch(value)}`,
};

export const notInLast = complementOf(
  inLast,
  'notInLast',
  (value) => `is not in the last ${stretch(value)} (or has no value)`,
);

/** at < moment <= at + length. */
export const inNext: Operator = {
  name: 'inNext',
  kinds: ['moment'],
  check: checkDuration,
  holds: ({ actual, value, reading: { at } }) => Number(actual) > at && Number(actual) <= at + lengthOf(value),
  changesAfter: ({ actual, value, reading: { at } }) =>
    firstAfter(at, Number(actual) - lengthOf(value), Number(actual)),
  sql: (expression, value, writer) =>
    `(${expression} > ${writer.now()} and ${expression} <= ${writer.moment(writer.reading.at + lengthOf(value))})`,
  changesSql: (expression, value, writer) => [
    expression,
    `${expression} - ${writer.parameter(`${lengthOf(value)} microseconds`, 'interval')}`,
  ],
  words: (value: unknown, _field: Field) => `is in the next ${stretch(value)}`,
};
