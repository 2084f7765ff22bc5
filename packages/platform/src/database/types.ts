import type { Micros } from '@croupier/contracts';
import pg from 'pg';

/*
 * How values of PostgreSQL read in TypeScript. Given to each pool and client (`types`), never set globally: a library that
 * brings its own pool keeps the driver's readings.
 *
 *   int8         number          all of ours are below 2^53; a larger one is an error, never a rounded number
 *   numeric      string          DecimalText of contracts, after `trim_scale` where the column has a scale
 *   timestamptz  Micros number   to the microsecond; infinity and -infinity are the numbers of that name
 *   date         'YYYY-MM-DD'    a calendar day is not a moment, so never a Date
 *
 * Arrays of these read the same, one dimension deep. The other types keep the driver's reading.
 */
type Parse = (text: string) => unknown;

const int8 = 20;
const date = 1082;
const timestamptz = 1184;
const numeric = 1700;

const parsers = new Map<number, Parse>([
  [int8, parseInt8],
  [1016, arrayOf(parseInt8)],
  [numeric, String],
  [1231, arrayOf(String)],
  [timestamptz, parseTimestamptz],
  [1185, arrayOf(parseTimestamptz)],
  [date, String],
  [1182, arrayOf(String)],
]);

export const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : parsers.get(oid);
    return parse ?? pg.types.getTypeParser(oid, format ?? 'text');
  },
} as pg.CustomTypesConfig;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is beyond 2^53: select it as text`);
  return value;
}

const timestampPattern = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?$/;

/**
 * PostgreSQL's ISO text of a timestamptz, in whatever zone the session shows it.
 *
 * @throws {RangeError} for a year before 1 ("BC"), which no column of ours holds.
 */
export function parseTimestamptz(text: string): Micros {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '-infinity') return Number.NEGATIVE_INFINITY;
  const parts = timestampPattern.exec(text);
  if (parts === null) throw new RangeError(`not a timestamptz: ${text}`);
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours, offsetMinutes = '0'] = parts;
  const seconds = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000_000;
  return seconds * 1000 + Number(fraction.padEnd(6, '0')) + (sign === '-' ? offset : -offset);
}

/** The opposite way, for parameters of type timestamptz: '2026-05-01T08:27:58.000001Z'. Not for the infinities. */
export function timestamptzText(at: Micros): string {
  const seconds = Math.floor(at / 1_000_000);
  const fraction = String(at - seconds * 1_000_000).padStart(6, '0');
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

function arrayOf<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  return (text) => {
    if (text === '{}') return [];
    // None of these types has a comma or a quote in its text, so the array's own quoting can simply go.
    return text
      .slice(1, -1)
      .split(',')
      .map((element) => (element === 'NULL' ? null : parse(element.replaceAll('"', ''))));
  };
}
