import Big from 'big.js';
import { isDay, readMoment } from '../calendar.ts';
import type { Field } from '../field.ts';
import type { SqlWriter } from '../sql-writer.ts';
import type { FieldKind, Reading, Value } from '../value.ts';

/*
 * How values of each kind are read, compared and written to SQL. Properties that only some kinds have, such as an
 * order, are undefined for the others.
 */
interface KindOfValue {
  /** What a value in a rule must be; undefined if it is valid. */
  wrong(value: unknown): string | undefined;
  /** Negative, zero or positive. The value in the rule was checked. */
  compare(actual: Exclude<Value, null>, value: unknown, reading: Reading): number;
  /** Whether one value in a rule is greater than another, in each time zone. Both were checked. */
  isAfter(value: unknown, other: unknown): boolean;
  /** The value in the rule as SQL, in the type of the field. */
  sql(value: unknown, writer: SqlWriter): string;
}

/** More digits than this are an error. PostgreSQL and the evaluator compare valid values exactly. */
const decimal = /^-?\d{1,18}(?:\.\d{1,12})?$/;

const text: KindOfValue = {
  wrong: (value) =>
    typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\u0000')
      ? undefined
      : 'must be a string that is not empty',
  compare: (actual, value) => (actual === value ? 0 : String(actual) < String(value) ? -1 : 1),
  isAfter: (value, other) => String(value) > String(other),
  sql: (value, writer) => writer.parameter(value, 'text'),
};

const number: KindOfValue = {
  wrong: (value) =>
    (typeof value === 'number' || typeof value === 'string') && decimal.test(String(value))
      ? undefined
      : 'must be a number or a decimal string with at most 18 digits before and 12 after the point',
  compare: (actual, value) => compareDecimals(String(actual), String(value)),
  isAfter: (value, other) => compareDecimals(String(value), String(other)) > 0,
  sql: (value, writer) => writer.parameter(String(value), 'numeric'),
};

/** Doubles order numbers of up to 15 digits correctly, and comparing doubles takes a tenth of the time. */
function compareDecimals(one: string, other: string): number {
  if (one.length <= 15 && other.length <= 15) return Number(one) - Number(other);
  return new Big(one).cmp(new Big(other));
}

const mostOffset = 14 * 3_600_000_000;

const moment: KindOfValue = {
  wrong: (value) =>
    typeof value === 'string' && readMoment(value, 'UTC') !== undefined
      ? undefined
      : 'must be a date (2026-05-04) or an RFC 3339 date-time with an offset (2026-05-04T12:00:00Z)',
  compare: (actual, value, { zone }) => Number(actual) - (readMoment(String(value), zone) ?? 0),
  // A date begins up to 14 hours before and 12 hours after its midnight in UTC. A date-time is the same moment in each zone.
  isAfter: (value, other) => {
    const [from, to] = [String(value), String(other)];
    const isMixed = isDay(from) !== isDay(to);
    return (readMoment(from, 'UTC') ?? 0) - (readMoment(to, 'UTC') ?? 0) > (isMixed ? mostOffset : 0);
  },
  sql: (value, writer) => writer.moment(readMoment(String(value), writer.reading.zone) ?? 0),
};

const date: KindOfValue = {
  ...text,
  wrong: (value) => (typeof value === 'string' && isDay(value) ? undefined : 'must be a date, for example 2026-05-04'),
  sql: (value, writer) => writer.parameter(value, 'date'),
};

const statuses: readonly unknown[] = [true, false, 'unknown', 'true', 'false'];

const status: KindOfValue = {
  wrong: (value) => (statuses.includes(value) ? undefined : 'must be true, false or "unknown"'),
  compare: (actual, value) => (String(actual) === String(value) ? 0 : 1),
  isAfter: () => false,
  sql: (value, writer) => writer.parameter(String(value), 'text'),
};

const flag: KindOfValue = {
  wrong: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  compare: (actual, value) => (actual === value ? 0 : 1),
  isAfter: () => false,
  sql: (value, writer) => writer.parameter(value, 'boolean'),
};

export const kindsOfValue: Readonly<Record<FieldKind, KindOfValue>> = {
  text,
  number,
  moment,
  date,
  status,
  flag,
  list: text,
};

export function valueKind(field: Field): KindOfValue {
  return kindsOfValue[field.kind];
}

/** "5 EUR", "2026-05-04", "MT". A unit that the title of the field contains is not repeated: "the age in days is 5". */
export function valueWords(value: unknown, { kind, unit, title }: Field): string {
  const isNamed = unit !== undefined && title.split(' ').includes(unit);
  return kind === 'number' && unit && !isNamed ? `${String(value)} ${unit}` : String(value);
}
